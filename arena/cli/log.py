"""The log from the command line: taking votes out of every fit, on record."""

from __future__ import annotations

import sys

import click
from sqlalchemy import select

from arena import refits
from arena import votes as log
from arena.cli.open_site import opened
from arena.cli.words import counted
from arena.cli.words import reason as on_record
from arena.votes import Vote


@click.group()
def votes() -> None:
    """Work on the log of votes; it is only ever appended to."""


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
