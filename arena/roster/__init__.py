"""The roster: what people write in ``sources/``, checked and made into values."""

from __future__ import annotations

from arena.roster.loader import Reading, load_site, read_site
from arena.roster.types import (
    Attribute,
    Axis,
    Entry,
    Fact,
    Fault,
    Noun,
    Picture,
    RosterFaults,
    Site,
)

__all__ = [
    "Attribute",
    "Axis",
    "Entry",
    "Fact",
    "Fault",
    "Noun",
    "Picture",
    "Reading",
    "RosterFaults",
    "Site",
    "load_site",
    "read_site",
]
