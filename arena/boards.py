"""A published board as the page, the JSON and CSV beside it and the command all give it out."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from dataclasses import fields

from arena.publishing import Published
from arena.ratings.methods import Standing
from arena.roster import Site

COLUMNS = tuple(field.name for field in fields(Standing))
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


def unpublished(site: Site, published: Published | None) -> tuple[str, ...]:
    """Slugs of the roster that the board does not rate, in order."""
    return tuple(
        entry.slug
        for entry in site.entries
        if published is None or published.standing(entry.slug) is None
    )


def rows(site: Site, published: Published | None) -> tuple[Standing, ...]:
    """The board's rows, in its order; entries that have left the roster are not on it."""
    if published is None:
        return ()
    return tuple(row for row in published.figures.board if site.entry(row.entry) is not None)


def as_json(site: Site, axis: str, method: str, published: Published | None) -> str:
    """The board as one JSON object, in the shape that `arena fit` gives out too."""
    document: dict[str, object] = {"method": method}
    if published is not None:
        document = published.figures.to_json_dict()
    document["board"] = [row.to_json_dict() for row in rows(site, published)]
    document |= {
        "axis": axis,
        "publication": None if published is None else published.id,
        "published_at": None if published is None else published.published_at.isoformat(),
        "unpublished": list(unpublished(site, published)),
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def as_csv(site: Site, published: Published | None) -> str:
    """The board as CSV with a header."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for row in rows(site, published):
        writer.writerow(_cell(getattr(row, column)) for column in COLUMNS)
    return file.getvalue()


def _cell(value: object) -> object:
    """A cell that no spreadsheet runs as a formula; numbers stay numbers."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return f"'{value}"
    return value


def as_table(site: Site, published: Published | None) -> str:
    """The board for a terminal: rank, name, rating with its interval, record."""
    header = ("rank", site.noun.singular, "score", "lower", "upper", "votes", "won", "tied", "lost")
    lines = [header, *(_line(site, row) for row in rows(site, published))]
    widths = [max(len(line[i]) for line in lines) for i in range(len(header))]
    return "\n".join(_aligned(line, widths) for line in lines) + "\n"


def _line(site: Site, row: Standing) -> tuple[str, ...]:
    entry = site.entry(row.entry)
    name = row.entry if entry is None else entry.name
    figures = (row.score, row.lower, row.upper)
    return (
        str(row.rank),
        f"{name} (provisional)" if row.provisional else name,
        *(f"{figure:.1f}" for figure in figures),
        *(str(count) for count in (row.votes, row.wins, row.ties, row.losses)),
    )


def _aligned(cells: Iterable[str], widths: list[int]) -> str:
    padded = (
        cell.ljust(width) if i == 1 else cell.rjust(width)
        for i, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join(padded).rstrip()
