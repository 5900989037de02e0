"""`arena validate`: what is wrong in the site's files, a line each, before anyone is served."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from arena import images
from arena.cli.words import counted
from arena.roster import Fault, Noun, Reading, read_site
from arena.settings import data_root


@click.command()
@click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder that holds sources/ and images/ (default: ARENA_ROOT, or the project's own).",
)
def validate(root: Path | None) -> None:
    """Check sources/ and images/: a fault a line, then a count; status 1 if any."""
    root = data_root() if root is None else root
    reading = read_site(root, datetime.now(UTC).date())
    faults = reading.faults + _picture_faults(root, reading)
    for fault in faults:
        click.echo(str(fault))
    click.echo(_count(faults, reading))
    sys.exit(1 if faults else 0)


def _picture_faults(root: Path, reading: Reading) -> tuple[Fault, ...]:
    """Check the pictures against the entries; while nobody can tell the entries, not at all."""
    if reading.noun is None:
        return ()
    entries = () if reading.site is None else reading.site.entries
    sound = {entry.slug: entry.picture for entry in entries}
    return images.check(root, dict.fromkeys(reading.slugs) | sound)


def _count(faults: tuple[Fault, ...], reading: Reading) -> str:
    noun = reading.noun or Noun("entry", "entries")
    entries = counted(len(reading.slugs), noun.singular, noun.plural)
    if not faults:
        return f"{entries} checked, no faults"
    return f"{counted(len(faults), 'fault', 'faults')} in {entries}"
