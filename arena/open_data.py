"""Everything that anybody may download, as tables whose columns are described."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import select

from arena import public_log
from arena.database import db
from arena.downloads import Record
from arena.publishing import SHARED_COLUMNS, Publication, PublishedStanding
from arena.roster import Site

BATCH = 2000


@dataclass(frozen=True, slots=True)
class Table:
    """One table of the public data.

    Attributes
    ----------
    name : as in its address.
    title : what it holds, in a few words.
    columns : each with what it means.
    rows : reads them, given the site and what the address asks for.
    asks : names of what an address may ask for, each with what it does.
    """

    name: str
    title: str
    columns: Mapping[str, str]
    rows: Callable[[Site, Mapping[str, str]], Iterator[Record]]
    asks: Mapping[str, str]


def _votes(_site: Site, asked: Mapping[str, str]) -> Iterator[Record]:
    return public_log.records(asked.get("axis"), uncounted=asked.get("all") == "1")


def _publications(_site: Site, asked: Mapping[str, str]) -> Iterator[Record]:
    query = select(Publication).order_by(Publication.id).execution_options(yield_per=BATCH)
    if "axis" in asked:
        query = query.where(Publication.axis == asked["axis"])
    for row in db.session.scalars(query):
        yield {
            "publication": row.id,
            "axis": row.axis,
            "method": row.method,
            "published_at": row.published_at.isoformat(),
            **{column: getattr(row, column) for column in SHARED_COLUMNS},
            "anchor": row.anchor,
            "nu": row.nu,
            "temperature": row.temperature,
            "config": row.config,
        }


def _standings(_site: Site, asked: Mapping[str, str]) -> Iterator[Record]:
    """Of one publication, or of the newest of each axis and method."""
    newest = select(Publication.id).order_by(Publication.id.desc()).limit(1)
    wanted = asked.get("publication", "")
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 10:
        numbers = [int(wanted)]
    else:
        pairs = db.session.execute(select(Publication.axis, Publication.method).distinct()).all()
        numbers = [
            db.session.scalars(
                newest.where(Publication.axis == axis, Publication.method == method)
            ).one()
            for axis, method in sorted(map(tuple, pairs))
        ]
    query = (
        select(PublishedStanding)
        .where(PublishedStanding.publication.in_(numbers))
        .order_by(PublishedStanding.publication, PublishedStanding.position)
    )
    for row in db.session.scalars(query.execution_options(yield_per=BATCH)):
        yield {column: getattr(row, column) for column in STANDINGS.columns}


def _facts(site: Site, _asked: Mapping[str, str]) -> Iterator[Record]:
    for entry in site.entries:
        for fact in entry.facts:
            yield {
                "entry": entry.slug,
                "name": entry.name,
                "fictional": entry.fictional,
                "attribute": fact.attribute,
                "value": fact.value,
                "unit": fact.unit,
                "as_stated": fact.as_stated,
                "source_url": fact.source_url,
                "source_name": fact.source_name,
                "retrieved": fact.retrieved.isoformat(),
                "canon": fact.canon,
            }


def _entries(site: Site, _asked: Mapping[str, str]) -> Iterator[Record]:
    for entry in site.entries:
        yield {
            "entry": entry.slug,
            "name": entry.name,
            "line": entry.line,
            "fictional": entry.fictional,
            "picture_owner": entry.picture.owner,
            "picture_licence": entry.picture.licence,
            "picture_rights": entry.picture.rights,
            "picture_source_url": entry.picture.source_url,
        }


VOTES = Table(
    name="votes",
    title="The log of votes",
    columns=public_log.DESCRIBED,
    rows=_votes,
    asks={
        "axis": "slug of one question",
        "all": "1 for votes that were taken back or invalidated as well",
    },
)
PUBLICATIONS = Table(
    name="publications",
    title="Every refit that was published",
    columns={
        "publication": "its number",
        "axis": "slug of the question",
        "method": "arena, preferences or versus",
        "published_at": "when, ISO 8601 in UTC",
        "votes": "counted votes it rests on",
        "ties": "how many of them were too close to call",
        "skips": "skips beside them",
        "entries": "entries with a counted vote",
        "connected": "whether chains of votes join all of them",
        "components": "number of groups that never met",
        "strongly_connected": "whether everybody has a chain of wins or ties to everybody (Ford)",
        "converged": "whether the search for the maximum ended there",
        "iterations": "its steps",
        "log_likelihood": "of the votes at the maximum, natural logarithm",
        "anchor": "weight of the imagined games",
        "nu": "Davidson's tie affinity, by versus",
        "temperature": "of forecasts of held-out votes, by versus where the anchor was solved",
        "config": "version and constants of the method, JSON",
    },
    rows=_publications,
    asks={"axis": "slug of one question"},
)
STANDINGS = Table(
    name="standings",
    title="The rows of a publication",
    columns={
        "publication": "its number",
        "position": "place in the method's order, from 1",
        "entry": "slug",
        "rank": "rank; empty where the method asks for more votes",
        "strength": "natural logarithm of strength",
        "se": "its standard error; empty where the method works none out",
        "score": "on the method's scale",
        "lower": "lower end of the interval, on the same scale",
        "upper": "upper end",
        "votes": "counted votes",
        "wins": "won",
        "ties": "too close to call",
        "losses": "lost",
        "rank_low": "best rank that the evidence leaves open",
        "rank_high": "worst",
        "tier": "S, A, B, C or D, by versus",
        "tier_alternate": "the other tier it may as well be in",
        "provisional": "whether the evidence is thin, by the method's own rule",
        "floor": "whether the score is only a lower bound",
        "ceiling": "whether it is only an upper bound",
        "beats_typical": "mean chance of beating another published entry, by versus",
    },
    rows=_standings,
    asks={"publication": "a number; without one, the newest of every question and method"},
)
FACTS = Table(
    name="facts",
    title="Every fact of the roster with its citation",
    columns={
        "entry": "slug",
        "name": "its name",
        "fictional": "whether it is from a work of fiction",
        "attribute": "what the figure is of",
        "value": "number or word",
        "unit": "of a number",
        "as_stated": "how the source says it",
        "source_url": "address of the source",
        "source_name": "its name",
        "retrieved": "day it was looked up",
        "canon": "whether it is true within a work of fiction only",
    },
    rows=_facts,
    asks={},
)
ENTRIES = Table(
    name="entries",
    title="Who is on the roster",
    columns={
        "entry": "slug",
        "name": "its name",
        "line": "one sentence about it",
        "fictional": "whether it is from a work of fiction",
        "picture_owner": "who owns the picture",
        "picture_licence": "its licence",
        "picture_rights": "why it may be shown",
        "picture_source_url": "where it is from",
    },
    rows=_entries,
    asks={},
)
TABLES: Mapping[str, Table] = {
    it.name: it for it in (VOTES, PUBLICATIONS, STANDINGS, ENTRIES, FACTS)
}
