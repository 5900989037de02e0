"""What is known of how far the boards of an axis may be trusted: worked out after each refit.

One half follows from the counts of a publication and can be checked against them. The other half is
read from the log at the same moment: forecasts as they stood on record before each vote, what one
network or one voter alone could have moved. Nothing here is worked out while somebody waits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from scipy.stats import kendalltau
from sqlalchemy import ForeignKey, String, Text
from sqlalchemy.orm import Mapped, Session, mapped_column

from arena import log_checks, publishing
from arena.basis import Basis
from arena.database import Base, db, writing
from arena.log_checks import LogChecks
from arena.publishing import Published
from arena.ratings import bradley_terry, davidson
from arena.ratings.counts import tally
from arena.ratings.cycles import CycleTest, cycle_test
from arena.ratings.diagnostics import tie_profile
from arena.ratings.figures import Bin
from arena.ratings.graph import graph_of, members
from arena.ratings.methods.arena import VIRTUAL_GAMES
from arena.ratings.methods.versus import UNCALIBRATED_ANCHOR
from arena.ratings.parts import evidence_of
from arena.ratings.robustness import fewest_to_change
from arena.ratings.sides import Share, share_of
from arena.ratings.threads import reproducible_blas
from arena.tallies import Cell

METHOD = "arena"
"""Its publications are never refused, so there is always one to be about."""


class DiagnosisRow(Base):
    """The diagnosis of one axis; a projection, replaced after a refit."""

    __tablename__ = "diagnoses"

    axis: Mapped[str] = mapped_column(String(64), primary_key=True)
    publication: Mapped[int] = mapped_column(ForeignKey("publications.id"))
    data: Mapped[str] = mapped_column(Text)
    """Of the counts and of the log: JSON."""


@dataclass(frozen=True, slots=True)
class Fall:
    """The votes whose absence would change the leader.

    Attributes
    ----------
    leader, runner_up : slugs.
    votes, total : how many of how many.
    changed : whether so many are enough; otherwise the search stopped there.
    """

    leader: str
    runner_up: str
    votes: int
    total: int
    changed: bool


@dataclass(frozen=True, slots=True)
class OfCounts:
    """What follows from the counts of a publication.

    Attributes
    ----------
    left : left's share of the decided votes.
    groups : slugs that chains of votes join, each sorted; one group where all is connected.
    unbeaten, winless : slugs that have neither lost nor tied, or neither won nor tied.
    strong : number of strong components along wins and ties; 1 is Ford's condition.
    ties : share of ties by the gap in strength, as the model has it and as it is.
    cycles : whether the votes go round.
    fall : how few votes hold the leader; None where nobody leads alone.
    """

    left: Share
    groups: tuple[tuple[str, ...], ...]
    unbeaten: tuple[str, ...]
    winless: tuple[str, ...]
    strong: int
    ties: tuple[Bin, ...]
    cycles: CycleTest
    fall: Fall | None


@dataclass(frozen=True, slots=True)
class Capped:
    """The board refitted with each network's votes capped.

    Attributes
    ----------
    networks, over : how many there were in all, and how many of them had more votes than the cap.
    cap : votes that each may have on one day.
    left_out : votes beyond it.
    leader, leader_capped : slugs that lead with and without them.
    tau : Kendall's tau between the two orders.
    """

    networks: int
    over: int
    cap: int
    left_out: int
    leader: str
    leader_capped: str
    tau: float


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All of it, with the publication that it is about."""

    publication: int
    counts: OfCounts
    log: LogChecks
    capped: Capped | None


def refresh(axis: str) -> None:
    """Work out the diagnosis of the newest publication, unless it stands already.

    Raises
    ------
    database.Busy
        Nothing was changed.
    """
    published = publishing.newest(axis, METHOD)
    if published is None:
        return
    row = db.session.get(DiagnosisRow, axis, populate_existing=True)
    if row is not None and row.publication == published.id:
        return
    found = _diagnosed(db.session(), published)
    data = json.dumps({name: value for name, value in asdict(found).items() if name in _HALVES})
    with writing() as session:
        session.merge(DiagnosisRow(axis=axis, publication=published.id, data=data))


def current(axis: str) -> Diagnosis | None:
    """The diagnosis of an axis as it stands; None before the first."""
    row = db.session.get(DiagnosisRow, axis, populate_existing=True)
    return None if row is None else _read(row)


def is_sound(row: DiagnosisRow) -> bool:
    """Whether the half that follows from the counts is what follows from them."""
    try:
        kept = _read(row)
        basis = publishing.basis_behind(row.publication)
    except (ValueError, KeyError, TypeError):
        return False
    return _nearly(asdict(kept.counts), asdict(of_counts(basis, kept.publication)))


def of_counts(basis: Basis, publication: int) -> OfCounts:
    """What follows from the counts that a publication rests on."""
    counts = basis.counts
    evidence = evidence_of(counts)
    pairs, names, records = evidence.pairs, evidence.names, evidence.records
    graph = graph_of(pairs)
    left, right = counts.side_wins
    with reproducible_blas():
        ties = tie_profile(pairs, davidson.fit(pairs, _anchor(publication)))
    fall = fewest_to_change(pairs, VIRTUAL_GAMES)
    return OfCounts(
        left=share_of(left, left + right),
        groups=members(graph.component, names),
        unbeaten=_named(names, records.losses + records.ties == 0),
        winless=_named(names, records.wins + records.ties == 0),
        strong=int(np.unique(graph.strong_component).size),
        ties=ties,
        cycles=cycle_test(counts),
        fall=None
        if fall is None
        else Fall(names[fall.leader], names[fall.runner_up], fall.votes, fall.total, fall.changed),
    )


_HALVES = ("counts", "log", "capped")


def _diagnosed(session: Session, published: Published) -> Diagnosis:
    basis = publishing.basis_behind(published.id)
    beyond = log_checks.beyond_the_cap(session, published.axis)
    return Diagnosis(
        publication=published.id,
        counts=of_counts(basis, published.id),
        log=log_checks.of_log(session, published.axis),
        capped=_capped(basis, beyond),
    )


def _capped(basis: Basis, beyond: log_checks.Beyond) -> Capped | None:
    """Refit without what went beyond the cap; None where nothing was counted."""
    counts = basis.counts
    if not counts.total_votes:
        return None
    kept = counts.minus(_known(basis, beyond.cells)) if beyond.cells else counts
    strengths = []
    with reproducible_blas():
        for it in (counts, kept):
            evidence = evidence_of(it)
            fit = bradley_terry.fit(evidence.pairs, VIRTUAL_GAMES)
            strengths.append(dict(zip(evidence.names, fit.centred.tolist(), strict=True)))
    every, without = strengths
    shared = [name for name in every if name in without]
    tau = 1.0
    if len(shared) > 1:
        found = kendalltau([every[it] for it in shared], [without[it] for it in shared]).statistic
        tau = 1.0 if np.isnan(found) else float(found)
    return Capped(
        networks=beyond.networks,
        over=beyond.over,
        cap=log_checks.CAP,
        left_out=sum(count for *_, count in beyond.cells),
        leader=max(every, key=lambda name: every[name]),
        leader_capped=max(without, key=lambda name: without[name]) if without else "",
        tau=tau,
    )


def _known(basis: Basis, cells: tuple[Cell, ...]) -> Any:
    """Those of the cells that the basis holds too: the log may have moved on since."""
    there: dict[tuple[str, str, str], int] = {}
    for left, right, choice, count in basis.training + basis.calibration + basis.evaluation:
        there[left, right, choice] = there.get((left, right, choice), 0) + count
    return tally(
        (left, right, choice, min(count, there.get((left, right, choice), 0)))
        for left, right, choice, count in cells
    )


def _anchor(publication: int) -> float:
    """The weight that `versus` was published with on the same counts, or its usual one."""
    anchor = publishing.anchor_beside(publication)
    return UNCALIBRATED_ANCHOR if anchor is None else anchor


def _named(names: tuple[str, ...], which: Any) -> tuple[str, ...]:
    return tuple(name for name, is_one in zip(names, which.tolist(), strict=True) if is_one)


def _read(row: DiagnosisRow) -> Diagnosis:
    kept = json.loads(row.data)
    counts, capped = kept["counts"], kept["capped"]
    return Diagnosis(
        publication=row.publication,
        counts=OfCounts(
            left=Share(**counts["left"]),
            groups=tuple(map(tuple, counts["groups"])),
            unbeaten=tuple(counts["unbeaten"]),
            winless=tuple(counts["winless"]),
            strong=counts["strong"],
            ties=tuple(Bin(**it) for it in counts["ties"]),
            cycles=CycleTest(**counts["cycles"]),
            fall=None if counts["fall"] is None else Fall(**counts["fall"]),
        ),
        log=LogChecks.from_dict(kept["log"]),
        capped=None if capped is None else Capped(**capped),
    )


def _nearly(kept: object, wanted: object) -> bool:
    """Whether two nests of figures agree; a tuple and a list are alike."""
    if isinstance(wanted, Mapping):
        return isinstance(kept, Mapping) and all(
            name in kept and _nearly(kept[name], value) for name, value in wanted.items()
        )
    if isinstance(wanted, (tuple, list)):
        return (
            isinstance(kept, (tuple, list))
            and len(kept) == len(wanted)
            and all(map(_nearly, kept, wanted))
        )
    if isinstance(wanted, float) and isinstance(kept, (int, float)):
        return bool(np.isclose(kept, wanted, rtol=1e-9, atol=1e-9))
    return kept == wanted
