"""The `arena` command: parse, ask the domain, print; errors in one line each, never a traceback."""

from __future__ import annotations

import sys
from typing import Any

import click
from sqlalchemy.exc import DBAPIError

from arena.cli import boards as board_commands
from arena.cli import images, log, open_site, server, takedowns, trial, validate
from arena.database import Busy
from arena.roster import RosterFaults
from arena.settings import BadSetting

WRONG_USAGE, AT_FAULT = 2, 1


class Commands(click.Group):
    """Turns the errors that a person can cause into one line on stderr and an exit status."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BadSetting as error:
            _fail(str(error), WRONG_USAGE)
        except RosterFaults as error:
            _fail(str(error), AT_FAULT)
        except Busy as error:
            _fail(f"the database is busy: {error}; try again in a moment", AT_FAULT)
        except open_site.NotReady as error:
            _fail(str(error), AT_FAULT)
        except DBAPIError as error:
            _fail(f"the database cannot be used: {error.orig}", AT_FAULT)


def _fail(message: str, status: int) -> None:
    for line in message.splitlines():
        click.echo(f"arena: {line}" if status == WRONG_USAGE else line, err=True)
    sys.exit(status)


@click.group(cls=Commands)
@click.version_option(package_name="robot-arena")
def main() -> None:
    """Pairwise voting without accounts or JavaScript, with a board that shows its method."""


for command in (
    open_site.init,
    server.serve,
    server.worker,
    validate.validate,
    images.images,
    board_commands.refit,
    board_commands.recompute,
    board_commands.verify,
    board_commands.leaderboard,
    log.votes,
    takedowns.takedowns,
    trial.simulate,
):
    main.add_command(command)
