"""What a roster is made of, as values that cannot change after they were checked.

The loader alone makes them, from files that the validation found sound; whoever holds a `Site`
may rely on every citation, unit and slug in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Literal

AttributeType = Literal["number", "category"]


@dataclass(frozen=True, slots=True)
class Axis:
    """One question that voters answer.

    Attributes
    ----------
    method : the board shown first.
    chooser : the strategy that draws its pairs.
    """

    slug: str
    question: str
    method: str
    chooser: str

    @property
    def label(self) -> str:
        """The slug as a heading: "live-with" reads "Live with"."""
        return self.slug.replace("-", " ").capitalize()


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that facts are about.

    Attributes
    ----------
    unit : of a number; None where it has no unit, and for a category.
    less, more : how a lean on this number is said ("lighter", "heavier"); None for a category.
    phrase : how those that share a value are named, the value standing at "{}" ("robots by {}");
        None where nobody said, and for a number.
    """

    slug: str
    label: str
    type: AttributeType
    unit: str | None
    less: str | None
    more: str | None
    phrase: str | None = None


@dataclass(frozen=True, slots=True)
class Fact:
    """One attribute's value of one entry, with its citation.

    Attributes
    ----------
    as_stated : the figure in the source's own form, before any conversion.
    retrieved : day on which the source said so.
    canon : true where the source is the work of fiction itself.
    """

    attribute: str
    value: int | float | str
    unit: str | None
    as_stated: str
    source_url: str
    source_name: str
    retrieved: date
    canon: bool


@dataclass(frozen=True, slots=True)
class Picture:
    """Where an entry's picture comes from, and by what right it is shown."""

    source_url: str
    source_name: str
    owner: str
    licence: str
    rights: str
    alt: str
    retrieved: date


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing on the roster."""

    slug: str
    name: str
    line: str
    fictional: bool
    facts: tuple[Fact, ...]
    picture: Picture

    def fact(self, attribute: str) -> Fact | None:
        """Return this entry's fact on the attribute, None where nothing was found."""
        return next((fact for fact in self.facts if fact.attribute == attribute), None)

    def value(self, attribute: str) -> str | None:
        """Return what the fact on the attribute says, as text; None where nothing was found."""
        fact = self.fact(attribute)
        return None if fact is None else str(fact.value)


@dataclass(frozen=True, slots=True)
class Noun:
    """What the entries are called: one, and several."""

    singular: str
    plural: str


@dataclass(frozen=True)
class Site:
    """One roster and its axes. Entries stand in the order of their slugs.

    Attributes
    ----------
    address : where the public finds the site, without a slash at its end; None where nobody said.
    """

    name: str
    noun: Noun
    axes: tuple[Axis, ...]
    attributes: tuple[Attribute, ...]
    entries: tuple[Entry, ...]
    address: str | None = None

    def axis(self, slug: str) -> Axis | None:
        """Return the axis of this slug, None where there is none."""
        return self._axes.get(slug)

    def attribute(self, slug: str) -> Attribute | None:
        """Return the attribute of this slug, None where there is none."""
        return self._attributes.get(slug)

    def entry(self, slug: str) -> Entry | None:
        """Return the entry of this slug, None where there is none."""
        return self._entries.get(slug)

    def caption(self, entry: Entry) -> str | None:
        """Return the entry's value of the first categorical attribute, None where unknown."""
        return entry.value(self.categories[0].slug) if self.categories else None

    @cached_property
    def categories(self) -> tuple[Attribute, ...]:
        """The categorical attributes, in the site's order."""
        return tuple(known for known in self.attributes if known.type == "category")

    @cached_property
    def _axes(self) -> dict[str, Axis]:
        return {axis.slug: axis for axis in self.axes}

    @cached_property
    def _attributes(self) -> dict[str, Attribute]:
        return {attribute.slug: attribute for attribute in self.attributes}

    @cached_property
    def _entries(self) -> dict[str, Entry]:
        return {entry.slug: entry for entry in self.entries}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong in a file that people write.

    Attributes
    ----------
    file : path from the site's folder, with forward slashes.
    field : where in the file, such as ``facts[2].retrieved``.
    message : what is wrong.
    """

    file: str
    field: str
    message: str

    def __str__(self) -> str:
        return _one_line(f"{self.file}: {self.field}: {self.message}")


class RosterFaults(Exception):
    """The roster's files are at fault; all their faults, a line each."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("\n".join(str(fault) for fault in faults))
        self.faults = faults


def _one_line(text: str) -> str:
    """Escape what would break the line or cannot be printed: keys and file names may hold both."""
    return "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text
    )
