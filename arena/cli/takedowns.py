"""Working through the takedown requests."""

from __future__ import annotations

import sys
from collections.abc import Callable

import click

from arena import takedowns as requests
from arena.cli.open_site import opened
from arena.cli.words import reason as on_record


@click.group()
def takedowns() -> None:
    """Work through the requests to take a picture down."""


@takedowns.command("list")
@click.option("--open", "only_open", is_flag=True, help="Only those that nobody has decided.")
def list_(only_open: bool) -> None:
    """List the requests, newest first."""
    with opened():
        for case in requests.cases():
            if only_open and case.verdict is not None:
                continue
            it = case.request
            click.echo(
                f"{it.reference}  {it.at:%Y-%m-%d %H:%M}  {case.verdict or 'open':8}"
                f"  {it.entry}  {it.name}"
            )


@takedowns.command()
@click.argument("reference")
def show(reference: str) -> None:
    """Show one request and the decisions on it."""
    with opened():
        case = _found(lambda: requests.case(reference))
    it = case.request
    click.echo(
        f"reference  {it.reference}\nentry      {it.entry}\nfiled      {it.at:%Y-%m-%d %H:%M} UTC"
    )
    click.echo(f"name       {it.name}\ncontact    {it.contact}\n\n{it.claim}\n")
    for decision in case.decisions:
        click.echo(f"{decision.verdict} at {decision.at:%Y-%m-%d %H:%M} UTC: {decision.reason}")
    if not case.decisions:
        click.echo("open")


@takedowns.command()
@click.argument("reference")
@click.option("--reason", type=on_record, default="at the request of its owner", show_default=True)
def accept(reference: str, reason: str) -> None:
    """Take the picture down, at once and for everybody; the reason is shown in its place."""
    _decide(reference, requests.ACCEPTED, reason)


@takedowns.command()
@click.argument("reference")
@click.option(
    "--reason", type=on_record, required=True, help="Why; it is shown on the request's page."
)
def reject(reference: str, reason: str) -> None:
    """Leave the picture where it is, or put it back if it was taken down on this request."""
    _decide(reference, requests.REJECTED, reason)


def _decide(reference: str, verdict: str, reason: str) -> None:
    with opened():
        case = _found(lambda: requests.decide(reference, verdict, reason))
        click.echo(
            f"{case.request.reference}: {verdict}; the picture of {case.request.entry}", nl=False
        )
        down = case.request.entry in requests.taken_down()
        click.echo(" is down" if down else " is shown")


def _found(ask: Callable[[], requests.Case]) -> requests.Case:
    try:
        return ask()
    except requests.NoSuchRequest as error:
        click.echo(f"no request {error}; `arena takedowns list` shows all", err=True)
        sys.exit(1)
