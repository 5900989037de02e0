"""`arena backup` and `arena restore`: the whole database as one file, and back."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from arena import backups
from arena.cli.open_site import opened, prepare_site, revision
from arena.cli.words import counted


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Copy the database into FILE while the site goes on serving."""
    with opened(), _faults_told():
        copied = backups.save(file, revision())
        click.echo(f"{file}: {counted(copied.votes, 'vote', 'votes')}, {copied.rows} rows in all")


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def restore(file: Path) -> None:
    """Fill an empty database from FILE; the roster is then read afresh."""
    with opened(prepare=True), _faults_told():
        copied = backups.restore(file, revision())
        prepare_site()
        votes = counted(copied.votes, "vote", "votes")
        click.echo(f"{votes} restored, as they were at {copied.made_at:%Y-%m-%d %H:%M:%S} UTC")


@contextmanager
def _faults_told() -> Iterator[None]:
    try:
        yield
    except backups.BackupFault as fault:
        click.echo(str(fault), err=True)
        sys.exit(1)
