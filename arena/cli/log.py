"""The log from the command line: taking votes out of every fit, on record."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import click
from sqlalchemy import select

from arena import imports, public_log, refits
from arena import votes as log
from arena.cli.boards import tell
from arena.cli.open_site import opened
from arena.cli.progress import watched
from arena.cli.words import counted
from arena.cli.words import reason as on_record
from arena.downloads import FORMATS
from arena.exchange import VoteFileFaults, read_rows
from arena.votes import Vote


@click.group()
def votes() -> None:
    """Work on the log of votes; it is only ever appended to."""


@votes.command()
@click.option("--axis", help="Votes on this question only.")
@click.option("--format", "form", type=click.Choice(["csv", "jsonl"]), default="csv")
@click.option("--all", "uncounted", is_flag=True, help="Also what was taken back or invalidated.")
def export(axis: str | None, form: str, uncounted: bool) -> None:
    """Print the public log: every vote, sessions under pseudonyms made up for this print."""
    with opened() as arena:
        if axis is not None and arena.site.axis(axis) is None:
            click.echo(f"there is no question {axis!r} on this site", err=True)
            sys.exit(1)
        found = public_log.records(axis, uncounted=uncounted)
        for line in FORMATS[form](public_log.COLUMNS, found):
            click.echo(line, nl=False)


@votes.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--axis", help="The question of votes whose line names none.")
def import_(file: Path, axis: str | None) -> None:
    """Append the votes of a file to the log, all of them or none, then refit."""
    with opened(prepare=True) as arena:
        if axis is not None and arena.site.axis(axis) is None:
            click.echo(f"there is no question {axis!r} on this site", err=True)
            sys.exit(1)
        try:
            with file.open("rb") as stream:
                digest = hashlib.file_digest(stream, "sha256").hexdigest()
                stream.seek(0)
                rows = list(read_rows(watched(stream)))
            done = imports.import_votes(arena.site, rows, digest=digest, axis=axis)
        except VoteFileFaults as faults:
            for fault in faults.faults:
                click.echo(f"{file}: {fault}", err=True)
            sys.exit(1)
        click.echo(f"{counted(done.votes, 'vote', 'votes')} imported")
        tell(refits.refit_and_diagnose(arena.site, done.axes))


@votes.command()
@click.option("--vote", type=click.IntRange(1, 2**63 - 1), help="Number of one vote.")
@click.option("--session", metavar="HASH", help="Hash of a session: all its votes.")
@click.option(
    "--reason", type=on_record, required=True, help="Why; it is kept with the invalidation."
)
def invalidate(vote: int | None, session: str | None, reason: str) -> None:
    """Append invalidations for one vote or for a whole session, then refit."""
    if (vote is None) == (session is None):
        raise click.UsageError("name either --vote or --session")
    with opened(prepare=True) as arena:
        query = select(Vote)
        query = query.where(Vote.number == vote if session is None else Vote.session == session)
        found = log.invalidate_all(query, reason)
        if found is None:
            click.echo("no vote there: nothing was invalidated", err=True)
            sys.exit(1)
        click.echo(f"{counted(len(found), 'vote', 'votes')} invalidated")
        refits.refit_all(arena.site)
