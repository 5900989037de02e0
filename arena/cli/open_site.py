"""Getting a site ready: migrate the database, load the roster, publish what is counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click
import flask_migrate
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask

from arena import create_app, refits
from arena.cli.words import counted
from arena.database import MIGRATIONS, alone, db, writing
from arena.roster.presence import Enrolment, enrol
from arena.settings import Settings
from arena.site import Arena, current_arena


class NotReady(Exception):
    """The database is not at the revision that this code needs; says what to do."""


@contextmanager
def opened(*, prepare: bool = False) -> Iterator[Arena]:
    """The site that the environment names, inside its application context.

    Parameters
    ----------
    prepare : migrate and load the roster first; otherwise the database must be ready.

    Raises
    ------
    NotReady
    """
    app = create_app(Settings.from_environment())
    with app.app_context():
        if prepare:
            prepare_site()
        else:
            _require_ready()
        yield current_arena()
        db.session.remove()
        db.engine.dispose()


def prepare_site() -> Enrolment:
    """Migrate and load the roster; doing it twice changes nothing.

    Raises
    ------
    NotReady
        A newer version has migrated the database.
    """
    with alone("preparing"):
        _require_known()
        flask_migrate.upgrade(directory=str(MIGRATIONS))
        with writing() as session:
            return enrol(session, current_arena().site)


def open_site(app: Flask) -> Enrolment:
    """Prepare the site and publish what is counted, so that it can be visited."""
    with app.app_context():
        enrolment = prepare_site()
        with alone("publishing"):
            for outcome in refits.refit_all(current_arena().site):
                if outcome.fault is not None:
                    place = f"{outcome.axis} by {outcome.method}"
                    click.echo(f"refit of {place} failed: {outcome.fault}", err=True)
        db.session.remove()
        db.engine.dispose()
    return enrolment


def revision() -> str:
    """The revision of the schema that this code works on."""
    return str(ScriptDirectory(str(MIGRATIONS)).get_current_head())


def _require_ready() -> None:
    if _require_known() != revision():
        raise NotReady("the database is not ready for this version: run `arena init` first")


def _require_known() -> str | None:
    """The revision that the database is at; None if it is empty."""
    with db.engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    known = {it.revision for it in ScriptDirectory(str(MIGRATIONS)).walk_revisions()}
    if current is not None and current not in known:
        raise NotReady(
            f"the database is at revision {current}, which this version does not know: a newer one"
            " has migrated it, and only that one may open it"
        )
    return current


@click.command()
def init() -> None:
    """Migrate the database and load the roster, then exit."""
    app = create_app(Settings.from_environment())
    enrolment = open_site(app)
    site = app.extensions["arena"].site
    entries = counted(len(site.entries), site.noun.singular, site.noun.plural)
    click.echo(f"{site.name}: {entries}, {counted(len(site.axes), 'question', 'questions')}")
    for what, slugs in (("new", enrolment.added), ("retired", enrolment.retired)):
        if slugs:
            click.echo(f"{what}: {', '.join(slugs)}")
