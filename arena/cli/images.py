"""`arena images`: make the files that pages show, and check those that are checked in."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from arena import images as pictures
from arena.cli.words import counted
from arena.roster import Picture, load_site
from arena.settings import data_root

BAR = 30

_root = click.option(
    "--root",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder that holds sources/ and images/ (default: ARENA_ROOT, or the project's own).",
)


@click.group()
def images() -> None:
    """Build the pictures from their originals, and check them."""


@images.command()
@click.option(
    "--from",
    "originals",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    required=True,
    help="Folder of PNG, JPEG and WebP files, each named after its entry.",
)
@click.option("--only", metavar="SLUG", multiple=True, help="Build this entry; may be repeated.")
@_root
def build(originals: Path, only: tuple[str, ...], root: Path | None) -> None:
    """Build what changed: a refusal a line, then a count; status 1 if any."""
    root = data_root() if root is None else root
    done = pictures.build(originals, root, _records(root), only, _progress)
    for slug in done.removed:
        click.echo(f"{slug}: left the roster, its files are deleted")
    for fault in done.faults:
        click.echo(str(fault))
    click.echo(f"{len(done.made)} built, {len(done.kept)} up to date, {len(done.faults)} at fault")
    sys.exit(1 if done.faults else 0)


@images.command()
@_root
def check(root: Path | None) -> None:
    """Compare files, manifest, originals and roster: a fault a line, then a count."""
    root = data_root() if root is None else root
    records = _records(root)
    faults = pictures.check(root, records)
    for fault in faults:
        click.echo(str(fault))
    found = counted(len(faults), "fault", "faults") if faults else "no faults"
    click.echo(f"pictures of {counted(len(records), 'entry', 'entries')} checked, {found}")
    sys.exit(1 if faults else 0)


def _records(root: Path) -> dict[str, Picture]:
    site = load_site(root, datetime.now(UTC).date())
    return {entry.slug: entry.picture for entry in site.entries}


def _progress(done: int, total: int) -> None:
    """Draw a bar where a person looks on, and nothing into a file or pipe."""
    if not sys.stderr.isatty() or not total:
        return
    filled = BAR * done // total
    bar = "#" * filled + "-" * (BAR - filled)
    click.echo(f"\r[{bar}] {done}/{total}", err=True, nl=done == total)
