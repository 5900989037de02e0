"""A published board as the page, the JSON and CSV beside it and the command all give it out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import lru_cache

from arena import publishing
from arena.exchange import neutralised
from arena.publishing import Published
from arena.ratings.methods import METHODS, Figures, Standing
from arena.roster import Entry, Site

COLUMNS = tuple(column.name for column in fields(Standing))
KEPT_IN_MEMORY = 64

SORTS: Mapping[str, Callable[[Line], float | str]] = {
    "name": lambda line: line.name.casefold(),
    "score": lambda line: -line.standing.score,
    "lower": lambda line: -line.standing.lower,
    "width": lambda line: line.standing.upper - line.standing.lower,
    "votes": lambda line: -line.standing.votes,
}
"""What a board can be sorted by, beside its method's own order."""


@dataclass(frozen=True, slots=True)
class View:
    """Which rows of a board are asked for, and in which order.

    Attributes
    ----------
    sort : a key of `SORTS`; None for the method's own order.
    having : attribute to value: entries without that value are left out.
    """

    sort: str | None = None
    having: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a board as people read it.

    Attributes
    ----------
    name : of the entry, or the value of an attribute.
    entry : None where rows are values of an attribute.
    score, lower, upper : with the decimals of the method's scale.
    """

    standing: Standing
    name: str
    entry: Entry | None
    score: str
    lower: str
    upper: str

    @property
    def arrow(self) -> str:
        """↑ where the score is only a lower bound, ↓ where it is only an upper one."""
        return "↑" if self.standing.floor else "↓" if self.standing.ceiling else ""


def figure(method: str, value: float) -> str:
    """A score of a method with its decimals, and a minus sign that is one."""
    text = f"{value:.{METHODS[method].scale.digits}f}"
    return text.replace("-", "−") if float(text) else text.removeprefix("-")


def lines(site: Site, published: Published | None, view: View | None = None) -> list[Line]:
    """The rows of a board; entries that have left the roster since are not on it."""
    if published is None:
        return []
    found = []
    for standing in published.figures.board:
        entry = site.entry(standing.entry)
        if entry is not None and _has(entry, view.having if view else {}):
            found.append(_line(published.figures.method, standing, entry.name, entry))
    return _sorted(found, view)


def value_lines(
    site: Site, published: Published | None, attribute: str, view: View | None = None
) -> list[Line]:
    """The rows of a board of an attribute's values."""
    figures = None if published is None else by_value(site, published, attribute)
    if figures is None:
        return []
    return _sorted([_line(figures.method, it, it.entry, None) for it in figures.board], view)


def ranked(rows: Iterable[Line]) -> list[Line]:
    """Those that the method gives a rank; the others have too few votes for it."""
    return [line for line in rows if line.standing.rank is not None]


def by_value(site: Site, published: Published, attribute: str) -> Figures | None:
    """A publication's choices read as choices between the values of a categorical attribute.

    Pairs of one value, and pairs of which an entry has none, are left out. None where the method
    refuses what is left.
    """
    values = tuple(
        (entry.slug, value)
        for entry in site.entries
        if (value := entry.value(attribute)) is not None
    )
    return _by_value(publishing.database(), published.id, published.figures.method, values)


@lru_cache(maxsize=KEPT_IN_MEMORY)
def _by_value(
    _database: str, publication: int, method: str, values: tuple[tuple[str, str], ...]
) -> Figures | None:
    """Work the figures out; they follow from the publication, so a process does so once."""
    try:
        return publishing.basis_behind(publication).by(dict(values)).figures(method)
    except ArithmeticError:
        return None


def unpublished(site: Site, published: Published | None) -> tuple[str, ...]:
    """Slugs of the roster that the board gives no rank, in order."""
    return tuple(
        entry.slug
        for entry in site.entries
        if published is None
        or (standing := published.standing(entry.slug)) is None
        or standing.rank is None
    )


def as_json(
    site: Site, axis: str, method: str, published: Published | None, rows: Iterable[Line]
) -> str:
    """A board as one JSON object, in the shape that `arena fit` gives out too."""
    document: dict[str, object] = {"method": method}
    if published is not None:
        document = published.figures.to_json_dict()
    document["board"] = [line.standing.to_json_dict() for line in ranked(rows)]
    document |= {
        "axis": axis,
        "publication": None if published is None else published.id,
        "published_at": None if published is None else published.published_at.isoformat(),
        "unpublished": list(unpublished(site, published)),
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def as_csv(rows: Iterable[Line]) -> str:
    """A board as CSV with a header."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for line in ranked(rows):
        writer.writerow(_cell(getattr(line.standing, column)) for column in COLUMNS)
    return file.getvalue()


def as_table(site: Site, rows: Iterable[Line]) -> str:
    """A board for a terminal: rank, name, score with its interval, record, and what is marked."""
    return _table(site.noun.singular, ranked(rows))


def figures_as_table(figures: Figures) -> str:
    """All that a fit lists, for a terminal: rows without a rank as well, under their slugs."""
    return _table("entry", [_line(figures.method, it, it.entry, None) for it in figures.board])


def _table(noun: str, rows: Iterable[Line]) -> str:
    header = ("rank", noun, "score", "lower", "upper", "votes", "won", "tied", "lost")
    table = [(*header, "ranks", "tier"), *map(_cells, rows)]
    widths = [max(len(line[i]) for line in table) for i in range(len(table[0]))]
    return "\n".join(_aligned(line, widths) for line in table) + "\n"


def _line(method: str, standing: Standing, name: str, entry: Entry | None) -> Line:
    score, lower, upper = (
        figure(method, value) for value in (standing.score, standing.lower, standing.upper)
    )
    return Line(standing, name, entry, score, lower, upper)


def _has(entry: Entry, having: Mapping[str, str]) -> bool:
    return all(entry.value(attribute) == value for attribute, value in having.items())


def _sorted(found: list[Line], view: View | None) -> list[Line]:
    key = None if view is None or view.sort is None else SORTS[view.sort]
    return found if key is None else sorted(found, key=key)


def _cell(value: object) -> object:
    """A cell that no spreadsheet runs as a formula; numbers stay numbers."""
    if isinstance(value, bool):
        return str(value).lower()
    return neutralised(value) if isinstance(value, str) else value


def _cells(line: Line) -> tuple[str, ...]:
    it = line.standing
    return (
        "" if it.rank is None else str(it.rank),
        f"{line.name} (provisional)" if it.provisional else line.name,
        line.score + line.arrow,
        line.lower,
        line.upper,
        *(str(count) for count in (it.votes, it.wins, it.ties, it.losses)),
        "" if it.rank_low is None else f"{it.rank_low}-{it.rank_high}",
        "/".join(tier for tier in (it.tier, it.tier_alternate) if tier is not None),
    )


def _aligned(cells: Iterable[str], widths: list[int]) -> str:
    padded = (
        cell.ljust(width) if i == 1 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join(padded).rstrip()
