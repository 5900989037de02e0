"""What a check sees of one file: as much of it as has the right form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

Parsed = Mapping[str, Any]
"""A file's table as far as its form is sound: a key that is missing or mistyped is not in it."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """One entry's file, with what its checks ask of the rest of the world.

    Attributes
    ----------
    attributes : the site's attributes by slug; None where the site's own declarations are at
        fault, as then nobody can tell which facts are.
    today : the day after which nothing can have been retrieved.
    """

    file: str
    slug: str
    table: Parsed
    attributes: Mapping[str, Parsed] | None
    today: date

    def facts(self) -> Iterator[tuple[str, Parsed]]:
        """Yield each fact with the field that names it."""
        return rows(self.table, "facts")

    def citations(self) -> Iterator[tuple[str, Parsed]]:
        """Yield all that carries a source: the facts, then the picture."""
        yield from self.facts()
        if "picture" in self.table:
            yield "picture", self.table["picture"]

    def attribute(self, fact: Parsed) -> Parsed:
        """Return the site's attribute that a fact is about; nothing is known of an unknown one."""
        known = {} if self.attributes is None else self.attributes
        return known.get(fact.get("attribute", ""), {})


def rows(table: Parsed, key: str) -> Iterator[tuple[str, Parsed]]:
    """Yield the tables under a key with their fields; none where the key is not sound."""
    return ((f"{key}[{n}]", row) for n, row in enumerate(table.get(key, ())))


def texts_of(value: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text of a file with its field."""
    if isinstance(value, str):
        yield field, value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from texts_of(inner, f"{field}.{key}" if field else key)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from texts_of(inner, f"{field}[{place}]")
