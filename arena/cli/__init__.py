"""The `arena` command: parse, ask the domain, print; errors in one line each, never a traceback."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any, NoReturn

import click
from sqlalchemy.exc import DBAPIError

from arena.cli import backups, fit, images, log, open_site, server, takedowns, trial, validate
from arena.cli import boards as board_commands
from arena.database import Busy
from arena.roster import RosterFaults
from arena.settings import BadSetting

WRONG_USAGE, AT_FAULT = 2, 1


class Commands(click.Group):
    """Turns the errors that a person can cause into one line on stderr and an exit status."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **settings: Any) -> NoReturn:
        """Run a command line and exit."""
        given = list(sys.argv[1:] if args is None else args)
        if any("\ud800" <= character <= "\udfff" for it in given for character in it):
            _fail("the command line is not UTF-8 text", WRONG_USAGE)
        try:
            status = super().main(given, *rest, **{**settings, "standalone_mode": False})
        except click.exceptions.NoArgsIsHelpError as error:
            error.show()
            sys.exit(WRONG_USAGE)
        except click.ClickException as error:
            _fail(" ".join(error.format_message().split()), error.exit_code)
        except click.Abort:
            _fail("stopped", AT_FAULT)
        except BadSetting as error:
            _fail(str(error), WRONG_USAGE)
        except (RosterFaults, open_site.NotReady) as error:
            _fail(str(error), AT_FAULT)
        except Busy as error:
            _fail(f"the database cannot be used now: {error}; try again in a moment", AT_FAULT)
        except DBAPIError as error:
            said = str(error.orig).strip().partition("\n")[0]
            _fail(f"the database cannot be used: {said}", AT_FAULT)
        except MemoryError:
            _fail("there is not enough memory for so many entries or votes", AT_FAULT)
        except OSError as error:
            _fail(f"{error.filename or 'output'}: {error.strerror}", AT_FAULT)
        sys.exit(status if isinstance(status, int) else 0)


def _fail(message: str, status: int) -> NoReturn:
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
    fit.fit,
    log.votes,
    backups.backup,
    backups.restore,
    takedowns.takedowns,
    trial.simulate,
):
    main.add_command(command)
