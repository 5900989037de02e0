"""`arena simulate`: fill an empty database, so that the site can be tried out."""

from __future__ import annotations

import sys

import click

from arena import simulation
from arena.cli.open_site import opened


@click.command()
@click.option("--votes", "count", type=click.IntRange(1, 10_000_000), required=True)
@click.option("--seed", type=int, default=1, show_default=True)
def simulate(count: int, seed: int) -> None:
    """Fill an empty database with simulated votes; every page of the site then says so."""
    with opened(prepare=True) as arena:
        try:
            steps = simulation.simulate(arena.site, count, seed)
            with click.progressbar(
                length=count, label="Voting", file=sys.stderr, hidden=not sys.stderr.isatty()
            ) as progress:
                for done in steps:
                    progress.update(done - progress.pos)
        except simulation.NotEmpty as error:
            click.echo(f"nothing was simulated: {error}", err=True)
            sys.exit(1)
    click.echo(f"{count} simulated votes cast")
