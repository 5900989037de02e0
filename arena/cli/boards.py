"""Boards from the command line: publish, rebuild, check, print."""

from __future__ import annotations

import sys
from collections.abc import Iterable

import click

from arena import boards, publishing, refits, verification
from arena.cli.open_site import opened
from arena.cli.words import counted
from arena.publishing import PUBLISHED_METHODS
from arena.refits import Outcome
from arena.site import Arena


def _axes(arena: Arena, wanted: tuple[str, ...]) -> list[str]:
    """The axes asked for, or all of them; a wrong name is wrong usage."""
    known = [axis.slug for axis in arena.site.axes]
    for slug in wanted:
        if slug not in known:
            raise click.BadParameter(f"no axis {slug!r}; there are {', '.join(known)}")
    return list(wanted) or known


@click.command()
@click.argument("axes", nargs=-1, metavar="[AXIS ...]")
def refit(axes: tuple[str, ...]) -> None:
    """Publish the boards of the axes named, or of all, now."""
    with opened(prepare=True) as arena:
        outcomes = refits.refit_and_diagnose(arena.site, _axes(arena, axes))
        tell(outcomes)
    sys.exit(1 if any(outcome.fault for outcome in outcomes) else 0)


def _said(outcome: Outcome) -> str:
    place = f"{outcome.axis} by {outcome.method}"
    if outcome.fault is not None:
        return f"{place}: not published, the last board stands: {outcome.fault}"
    if outcome.published is None:
        return f"{place}: nothing to publish"
    figures = outcome.published.figures
    what = "published" if outcome.is_new else "nothing new since publication"
    return (
        f"{place}: {what} {outcome.published.id}, {figures.votes} votes on"
        f" {figures.entries} entries"
    )


def tell(outcomes: Iterable[Outcome]) -> None:
    """Say a line for each refit."""
    for outcome in outcomes:
        click.echo(_said(outcome), err=outcome.fault is not None)


@click.command()
@click.argument("axes", nargs=-1, metavar="[AXIS ...]")
def recompute(axes: tuple[str, ...]) -> None:
    """Rebuild every projection from the log, then publish."""
    with opened(prepare=True) as arena:
        wanted = _axes(arena, axes)
        result, outcomes = refits.recompute(arena.site, wanted)
        click.echo(
            f"{len(result.moves)} votes replayed: {len(result.ratings)} live ratings,"
            f" {len(result.pairs)} pairs"
        )
        tell(outcomes)
        for fault in result.faults:
            click.echo(f"left out: {fault}", err=True)
    sys.exit(1 if result.faults or any(it.fault for it in outcomes) else 0)


@click.command()
@click.argument("axes", nargs=-1, metavar="[AXIS ...]")
def verify(axes: tuple[str, ...]) -> None:
    """Compare every projection with the log and change nothing; exit 1 on any difference."""
    with opened() as arena:
        wanted = _axes(arena, axes)
        differences = verification.verify(wanted)
    for line in differences:
        click.echo(line)
    found = counted(len(differences), "difference", "differences")
    click.echo(f"{found} on {counted(len(wanted), 'axis', 'axes')}")
    sys.exit(1 if differences else 0)


@click.command()
@click.argument("axis")
@click.option("--method", type=click.Choice(PUBLISHED_METHODS), help="Default: the axis's own.")
@click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table")
def leaderboard(axis: str, method: str | None, form: str) -> None:
    """Print the published board of an axis, the same numbers as the page."""
    with opened() as arena:
        site = arena.site
        found = site.axis(*_axes(arena, (axis,)))
        if found is None:
            raise click.BadParameter(f"no axis {axis!r}")
        by = method or found.method
        published = publishing.newest(axis, by)
        lines = boards.lines(site, published)
        if form == "json":
            text = boards.as_json(site, axis, by, published, lines)
        elif form == "csv":
            text = boards.as_csv(lines)
        else:
            text = boards.as_table(site, lines)
    click.echo(text, nl=False)
