"""Every projection compared with the log, and every newest publication with a fresh fit.

Nothing is changed. What is found is said a line each, with the place and both figures.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import astuple, fields
from datetime import timedelta
from itertools import zip_longest

from sqlalchemy import select
from sqlalchemy.orm import Session

from arena import crowds, diagnostics, elo, outlooks, publishing, tallies
from arena.basis import Basis
from arena.crowds import CrowdRow
from arena.database import db
from arena.diagnostics import DiagnosisRow
from arena.outlooks import OutlookRow
from arena.projections import BATCH, Replay, attributes, replay
from arena.publishing import PUBLISHED_METHODS, Publication
from arena.ratings.figures import Evaluation
from arena.ratings.held_out import PARTS
from arena.ratings.methods import Figures
from arena.site import current_arena
from arena.votes import Vote

CLOSE = 1e-9
SETTLED = timedelta(minutes=5)
"""A record this much older than a publication was there to be read by it, on any clock."""


def verify(axes: Collection[str]) -> list[str]:
    """Compare every projection with the log; one line a difference, none if all agree."""
    session = db.session()
    result = replay(session, axes)
    differences = [
        *result.faults,
        *_compare_ratings(session, result, axes),
        *_compare_moves(session, result, axes),
        *_compare_pairs(session, result, axes),
    ]
    for axis in sorted(axes):
        for method in PUBLISHED_METHODS:
            differences += of_publication(session, axis, method)
            differences += _compare_basis(result, axis, method)
        differences += _compare_outlook(session, axis)
        differences += _compare_diagnosis(session, axis)
        differences += _compare_crowd(session, axis)
    return differences


def _compare_ratings(session: Session, result: Replay, axes: Collection[str]) -> Iterator[str]:
    query = select(elo.LiveRating).where(elo.LiveRating.axis.in_(axes))
    found = {(row.axis, row.entry): row for row in session.scalars(query)}
    for key in sorted(found.keys() | result.ratings.keys()):
        row, right = found.get(key), result.ratings.get(key, elo.Standing())
        place = f"live_ratings: {key[0]}/{key[1]}"
        if row is None:
            yield f"{place}: missing; the log says {right.rating:.6f} after {right.votes} votes"
        elif not _near(row.rating, right.rating) or row.votes != right.votes:
            yield (
                f"{place}: {_shown(row.rating)} after {row.votes} votes;"
                f" the log says {right.rating:.6f} after {right.votes}"
            )


def _compare_moves(session: Session, result: Replay, axes: Collection[str]) -> Iterator[str]:
    query = select(elo.LiveMove, Vote.axis).outerjoin(Vote, Vote.number == elo.LiveMove.vote)
    seen = set()
    for row, axis in session.execute(query.execution_options(yield_per=BATCH)):
        seen.add(row.vote)
        if axis is not None and axis not in axes:
            continue
        right = result.moves.get(row.vote)
        if right is None:
            yield f"live_moves: vote {row.vote}: moved something; the log says it never counted"
            continue
        kept, wanted = attributes(row), attributes(right)
        for name in (name for name in kept if not _near(kept[name], wanted[name])):
            yield (
                f"live_moves: vote {row.vote}: {name} {_shown(kept[name])};"
                f" the log says {wanted[name]:.6f}"
            )
    for number in sorted(result.moves.keys() - seen):
        yield f"live_moves: vote {number}: missing"


def _compare_pairs(session: Session, result: Replay, axes: Collection[str]) -> Iterator[str]:
    query = select(tallies.PairTally).where(tallies.PairTally.axis.in_(axes))
    found = {(row.axis, row.left, row.right, row.part): row for row in session.scalars(query)}
    for key in sorted(found.keys() | result.pairs.keys()):
        row, right = found.get(key), result.pairs.get(key, {})
        for choice, column in tallies.COLUMN_OF.items():
            kept = 0 if row is None else getattr(row, column)
            if kept != right.get(choice, 0):
                yield (
                    f"pair_tallies: {'/'.join(key)}: {column} {kept};"
                    f" the log says {right.get(choice, 0)}"
                )


def of_publication(session: Session, axis: str, method: str) -> Iterator[str]:
    """Fit the counts of the newest publication again and compare figure by figure."""
    published = publishing.newest(axis, method)
    if published is None:
        return
    row = session.get_one(Publication, published.id)
    place = f"publications: {axis} by {method}, number {published.id}"
    try:
        basis = Basis.from_bytes(row.basis)
    except ValueError:
        yield f"{place}: the counts that it rests on cannot be read"
        return
    if basis.digest != row.basis_digest:
        yield f"{place}: the counts do not have the digest that stands beside them"
        return
    yield from _differing(place, publishing.figures_of(row), basis.figures(method))


def _compare_basis(result: Replay, axis: str, method: str) -> Iterator[str]:
    """Compare what the newest publication rests on with the log, if the log has rested since."""
    published = publishing.newest(axis, method)
    if published is None:
        return
    latest = result.latest.get(axis)
    if latest is not None and latest > published.published_at - SETTLED:
        return
    try:
        basis = publishing.basis_behind(published.id)
    except ValueError:
        return  # said by `of_publication`
    for part in PARTS:
        if getattr(basis, part) != result.cells(axis, part):
            place = f"publications: {axis} by {method}, number {published.id}"
            yield f"{place}: its {part} counts are not those of the log"


def _compare_outlook(session: Session, axis: str) -> Iterator[str]:
    """Work the outlook out again from the publication that it says it is of."""
    row = session.get(OutlookRow, axis, populate_existing=True)
    published = publishing.newest(axis, outlooks.METHOD)
    if published is None and row is None:
        return
    place = f"outlooks: {axis}"
    if row is None:
        yield f"{place}: missing"
    elif published is None or row.publication != published.id:
        yield f"{place}: of publication {row.publication}, which is not the newest"
    elif not outlooks.is_sound(row, published):
        yield f"{place}: not what publication {row.publication} expects"


def _compare_diagnosis(session: Session, axis: str) -> Iterator[str]:
    """Work out again what the diagnosis says of the counts; the log has moved on since."""
    row = session.get(DiagnosisRow, axis, populate_existing=True)
    if row is not None and not diagnostics.is_sound(row):
        yield f"diagnoses: {axis}: not what follows from publication {row.publication}"


def _compare_crowd(session: Session, axis: str) -> Iterator[str]:
    """Count again what everybody leans to, up to the number that the counts name."""
    row = session.get(CrowdRow, axis, populate_existing=True)
    if row is not None and not crowds.is_sound(session, current_arena().site, row):
        yield f"crowds: {axis}: not what the log says up to number {row.up_to}"


def _differing(place: str, kept: Figures, wanted: Figures) -> Iterator[str]:
    for name in publishing.SHARED_COLUMNS:
        if not _agree(getattr(kept, name), getattr(wanted, name)):
            yield f"{place}: {name} {getattr(kept, name)}; a fresh fit says {getattr(wanted, name)}"
    if not _alike(kept.held_out, wanted.held_out):
        yield f"{place}: its figures on held-out votes are not those of a fresh fit"
    rows = {standing.entry: standing for standing in kept.board}
    if [it.entry for it in kept.board] != [it.entry for it in wanted.board]:
        yield f"{place}: its rows are not those of a fresh fit, in its order"
        return
    for right in wanted.board:
        for name in (it.name for it in fields(right)):
            was, now = getattr(rows[right.entry], name), getattr(right, name)
            if not _agree(was, now):
                yield f"{place}: {right.entry}: {name} {was}; a fresh fit says {now}"


def _shown(figure: object) -> str:
    """A figure as it stands in the database, which may hold anything."""
    return f"{figure:.6f}" if isinstance(figure, float) else repr(figure)


def _alike(kept: Evaluation | None, wanted: Evaluation | None) -> bool:
    if kept is None or wanted is None:
        return kept is wanted
    pairs = zip_longest(_leaves(astuple(kept)), _leaves(astuple(wanted)))
    return all(_agree(one, other) for one, other in pairs)


def _leaves(nested: Iterable[object]) -> Iterator[object]:
    for it in nested:
        if isinstance(it, tuple):
            yield from _leaves(it)
        else:
            yield it


def _agree(kept: object, wanted: object) -> bool:
    if isinstance(wanted, float):
        return _near(kept, wanted, CLOSE * max(1.0, abs(wanted)))
    return kept == wanted


def _near(kept: object, wanted: float, allowed: float = CLOSE) -> bool:
    """Whether a figure is a number, and this number."""
    return isinstance(kept, float) and abs(kept - wanted) <= allowed
