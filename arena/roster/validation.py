"""What must be true of the roster's files beyond their form: one function a kind of fault.

To know a new kind of fault, write its function and add it to one of the three registers at the
end: `SITE_CHECKS` see ``site.toml``, `ENTRY_CHECKS` one entry's file, `ROSTER_CHECKS` all entries
side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date

from arena.roster.numerals import unsourced
from arena.roster.schema import Complaint
from arena.roster.sheets import Parsed, Sheet, rows, texts_of
from arena.roster.texts import (
    bad_address,
    bad_characters,
    bad_folder,
    bad_site_address,
    bad_slug,
    skeleton,
)
from arena.roster.types import Fault

METHODS = ("arena", "preferences", "versus")
CHOOSERS = ("arena", "versus")
ATTRIBUTE_TYPES = ("number", "category")
EARLIEST = date(1990, 1, 1)


def slugs_of_the_site(site: Parsed) -> Iterator[Complaint]:
    """A slug stands in addresses and in the log, so its letters are few."""
    for key in ("axes", "attributes"):
        for field, row in rows(site, key):
            message = bad_slug(row["slug"]) if "slug" in row else None
            if message is not None:
                yield Complaint(f"{field}.slug", message)


def repeated_slugs(site: Parsed) -> Iterator[Complaint]:
    """Two axes, or two attributes, of one slug cannot be told apart."""
    for key in ("axes", "attributes"):
        seen: dict[str, str] = {}
        for field, row in rows(site, key):
            slug = row.get("slug", field)
            if slug in seen:
                yield Complaint(f"{field}.slug", f"{slug!r} is already {seen[slug]}")
            seen.setdefault(slug, field)


def unknown_choices(site: Parsed) -> Iterator[Complaint]:
    """Methods, choosers and types are those that the code knows."""
    for key, column, known in (
        ("axes", "method", METHODS),
        ("axes", "chooser", CHOOSERS),
        ("attributes", "type", ATTRIBUTE_TYPES),
    ):
        for field, row in rows(site, key):
            if column in row and row[column] not in known:
                message = f"{row[column]!r} is unknown; known are {', '.join(known)}"
                yield Complaint(f"{field}.{column}", message)


def numbers_without_words(site: Parsed) -> Iterator[Complaint]:
    """A lean on a number is said in words, so both directions need one."""
    for field, row in rows(site, "attributes"):
        for word in ("less", "more"):
            if row.get("type") == "number" and word not in row:
                yield Complaint(f"{field}.{word}", "missing; a number needs both less and more")


def categories_with_number_words(site: Parsed) -> Iterator[Complaint]:
    """A category has neither a unit nor a direction."""
    for field, row in rows(site, "attributes"):
        for word in ("unit", "less", "more"):
            if row.get("type") == "category" and word in row:
                yield Complaint(f"{field}.{word}", "a category has none")


def phrases(site: Parsed) -> Iterator[Complaint]:
    """A phrase says where the value of a category stands in it."""
    for field, row in rows(site, "attributes"):
        if "phrase" not in row:
            continue
        if row.get("type") == "number":
            yield Complaint(f"{field}.phrase", "a number has none; it has less and more")
        elif row["phrase"].count("{}") != 1:
            yield Complaint(f"{field}.phrase", "must hold {} once, where the value stands")


def no_axes(site: Parsed) -> Iterator[Complaint]:
    """Without a question there is nothing to vote on."""
    if site.get("axes") == []:
        yield Complaint("axes", "missing; a site asks at least one question")


def noun_as_folder(site: Parsed) -> Iterator[Complaint]:
    """The plural names the folder of the entries, on any system."""
    message = bad_folder(site["noun"][1]) if "noun" in site else None
    if message is not None:
        yield Complaint("noun[1]", message)


def address_of_the_site(site: Parsed) -> Iterator[Complaint]:
    """Addresses of pages are appended to it, so it ends with the host."""
    message = bad_site_address(site["address"]) if "address" in site else None
    if message is not None:
        yield Complaint("address", message)


def control_characters(table: Parsed) -> Iterator[Complaint]:
    """Characters that are not seen can hide or turn what is."""
    for field, text in texts_of(table):
        for message in bad_characters(text):
            yield Complaint(field, message)


def slug_of_the_entry(sheet: Sheet) -> Iterator[Complaint]:
    """An entry's slug is its file's name."""
    message = bad_slug(sheet.slug)
    if message is not None:
        yield Complaint("slug", message)


def control_characters_of_the_entry(sheet: Sheet) -> Iterator[Complaint]:
    """As in the site's own file."""
    return control_characters(sheet.table)


def long_texts(sheet: Sheet) -> Iterator[Complaint]:
    """A line is read at a glance; an alternative text is listened to."""
    return _longer(sheet.table, {"name": 80, "line": 240, "picture.alt": 250})


def long_texts_of_the_site(site: Parsed) -> Iterator[Complaint]:
    """A question is a heading, and a name stands on every page."""
    most = {
        "name": 80,
        "question": 160,
        "label": 60,
        "unit": 20,
        "less": 40,
        "more": 40,
        "phrase": 60,
    }
    yield from _longer(site, most | {"noun[0]": 40})
    for key in ("axes", "attributes"):
        for field, row in rows(site, key):
            for complaint in _longer(row, most):
                yield Complaint(f"{field}.{complaint.field}", complaint.message)


def _longer(table: Parsed, most: Mapping[str, int]) -> Iterator[Complaint]:
    for field, text in texts_of(table):
        if len(text) > most.get(field, len(text)):
            yield Complaint(field, f"{len(text)} characters, at most {most[field]} fit")


def unseen_names(sheet: Sheet) -> Iterator[Complaint]:
    """A name that nobody sees cannot be voted for."""
    if "name" in sheet.table and not skeleton(sheet.table["name"]):
        yield Complaint("name", "holds nothing that can be seen")


def malformed_addresses(sheet: Sheet) -> Iterator[Complaint]:
    """A citation that cannot be followed is none."""
    for field, citation in sheet.citations():
        message = bad_address(citation["source_url"]) if "source_url" in citation else None
        if message is not None:
            yield Complaint(f"{field}.source_url", message)


def impossible_dates(sheet: Sheet) -> Iterator[Complaint]:
    """Nothing was retrieved after today, nor before there was a web."""
    for field, citation in sheet.citations():
        day = citation.get("retrieved", sheet.today)
        if day > sheet.today:
            yield Complaint(f"{field}.retrieved", f"{day} lies in the future")
        elif day < EARLIEST:
            yield Complaint(f"{field}.retrieved", f"{day} lies before {EARLIEST.year}")


def unknown_attributes(sheet: Sheet) -> Iterator[Complaint]:
    """A fact is about an attribute that the site declares."""
    if sheet.attributes is None:
        return
    for field, fact in sheet.facts():
        if "attribute" in fact and fact["attribute"] not in sheet.attributes:
            message = f"{fact['attribute']!r} is no attribute of site.toml"
            yield Complaint(f"{field}.attribute", message)


def repeated_attributes(sheet: Sheet) -> Iterator[Complaint]:
    """Of two figures for one attribute nobody knows which is meant."""
    seen: dict[str, str] = {}
    for field, fact in sheet.facts():
        slug = fact.get("attribute", field)
        if slug in seen:
            yield Complaint(f"{field}.attribute", f"{slug!r} is already in {seen[slug]}")
        seen.setdefault(slug, field)


def values_of_the_wrong_type(sheet: Sheet) -> Iterator[Complaint]:
    """A number is written as one, a category as a text."""
    for field, fact in sheet.facts():
        type_ = sheet.attribute(fact).get("type")
        is_text = isinstance(fact.get("value"), str)
        if "value" in fact and type_ == "number" and is_text:
            yield Complaint(f"{field}.value", "must be a number without quotes")
        elif "value" in fact and type_ == "category" and not is_text:
            yield Complaint(f"{field}.value", "must be a text in quotes")


def wrong_units(sheet: Sheet) -> Iterator[Complaint]:
    """A fact has its attribute's unit, written the same way."""
    for field, fact in sheet.facts():
        attribute = sheet.attribute(fact)
        wanted = attribute.get("unit")
        if not attribute or fact.get("unit") == wanted:
            continue
        if wanted is None:
            yield Complaint(f"{field}.unit", f"{attribute['slug']} has no unit")
        elif "unit" not in fact:
            yield Complaint(f"{field}.unit", f"missing; {attribute['slug']} is in {wanted}")
        else:
            yield Complaint(f"{field}.unit", f"{fact['unit']!r} must be {wanted!r}")


def misplaced_canon(sheet: Sheet) -> Iterator[Complaint]:
    """Fiction is cited from the work itself, and nothing else is."""
    fictional = sheet.table.get("fictional")
    for field, fact in sheet.facts():
        if fictional is True and fact.get("canon") is False:
            yield Complaint(f"{field}.canon", "must be true, as the entry is fictional")
        elif fictional is False and fact.get("canon") is True:
            yield Complaint(f"{field}.canon", "must be false, as the entry is not fictional")


def unsourced_numerals(sheet: Sheet) -> Iterator[Complaint]:
    """The line states no figure that the facts do not hold."""
    said = [fact[key] for _, fact in sheet.facts() for key in ("value", "as_stated") if key in fact]
    line, name = sheet.table.get("line", ""), sheet.table.get("name", "")
    for numeral in unsourced(line, said, name):
        yield Complaint("line", f"{numeral!r} is in none of the entry's facts")


def slugs_that_differ_in_case(sheets: Sequence[Sheet]) -> Iterator[Fault]:
    """Some systems cannot keep both files."""
    return _repeated(sheets, "slug", {sheet.file: sheet.slug.lower() for sheet in sheets})


def repeated_names(sheets: Sequence[Sheet]) -> Iterator[Fault]:
    """Voters could not tell two entries of one name apart."""
    names = {sheet.file: sheet.table["name"] for sheet in sheets if "name" in sheet.table}
    return _repeated(sheets, "name", {file: skeleton(name) for file, name in names.items()})


def _repeated(sheets: Sequence[Sheet], field: str, of: Mapping[str, str]) -> Iterator[Fault]:
    seen: dict[str, str] = {}
    for sheet in sheets:
        if sheet.file not in of:
            continue
        first = seen.setdefault(of[sheet.file], sheet.file)
        if first != sheet.file:
            yield Fault(sheet.file, field, f"the same as in {first}")


SITE_CHECKS: tuple[Callable[[Parsed], Iterator[Complaint]], ...] = (
    noun_as_folder,
    address_of_the_site,
    no_axes,
    slugs_of_the_site,
    repeated_slugs,
    unknown_choices,
    numbers_without_words,
    categories_with_number_words,
    phrases,
    long_texts_of_the_site,
    control_characters,
)
ENTRY_CHECKS: tuple[Callable[[Sheet], Iterator[Complaint]], ...] = (
    slug_of_the_entry,
    long_texts,
    unseen_names,
    unsourced_numerals,
    unknown_attributes,
    repeated_attributes,
    values_of_the_wrong_type,
    wrong_units,
    malformed_addresses,
    impossible_dates,
    misplaced_canon,
    control_characters_of_the_entry,
)
ROSTER_CHECKS: tuple[Callable[[Sequence[Sheet]], Iterator[Fault]], ...] = (
    slugs_that_differ_in_case,
    repeated_names,
)
