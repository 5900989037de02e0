"""`arena fit`: the engine on any vote file, without a site or a database."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from arena import boards
from arena.cli.progress import watch_on_terminal, watched
from arena.exchange import VoteFileFaults, read_votes
from arena.ratings.methods import METHODS, Figures
from arena.ratings.refusals import Refused


@click.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--method", type=click.Choice(tuple(METHODS)), required=True)
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table")
@click.option("--bootstrap", type=click.IntRange(1, 1_000_000), help="Replicates to refit.")
@click.option("--axis", help="Take the votes on this axis only.")
def fit(file: Path, method: str, form: str, bootstrap: int | None, axis: str | None) -> None:
    """Fit the votes of a CSV file (left, right, outcome; see the README) by a method."""
    try:
        with file.open("rb") as stream:
            votes = read_votes(watched(stream), axis)
        with watch_on_terminal() as watch:
            figures = METHODS[method].publish(
                votes.counts, held_out=votes.held_out, replicates=bootstrap, watch=watch
            )
    except VoteFileFaults as faults:
        for fault in faults.faults:
            click.echo(f"{file}: {fault}", err=True)
        sys.exit(1)
    except (Refused, ValueError) as refusal:
        click.echo(f"{file}: {refusal}", err=True)
        sys.exit(1)
    if form == "json":
        click.echo(json.dumps(figures.to_json_dict(), indent=2, ensure_ascii=False))
    else:
        click.echo(_table(figures), nl=False)


def _table(figures: Figures) -> str:
    """The board, and under it what the fit rests on."""
    rests_on = (
        f"{figures.votes} votes, {figures.ties} of them ties, and {figures.skips} skips; "
        f"{figures.entries} entries in {figures.components} "
        f"{'group' if figures.components == 1 else 'groups'} that met."
    )
    return boards.figures_as_table(figures) + "\n".join(("", rests_on, *figures.notes, ""))
