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
from arena.database import MIGRATIONS, alone, db, writing
from arena.roster.presence import Enrolment, enrol
from arena.settings import Settings
from arena.site import Arena, current_arena


class NotReady(Exception):
    """The database has not been migrated to what this code needs."""


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
    """Migrate and load the roster; doing it twice changes nothing."""
    with alone("preparing"):
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


def _require_ready() -> None:
    head = ScriptDirectory(str(MIGRATIONS)).get_current_head()
    with db.engine.connect() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
    if current != head:
        raise NotReady("the database is not ready for this version: run `arena init` first")


@click.command()
def init() -> None:
    """Migrate the database and load the roster, then exit."""
    app = create_app(Settings.from_environment())
    enrolment = open_site(app)
    site = app.extensions["arena"].site
    click.echo(f"{site.name}: {len(site.entries)} {site.noun.plural}, {len(site.axes)} questions")
    for what, slugs in (("new", enrolment.added), ("retired", enrolment.retired)):
        if slugs:
            click.echo(f"{what}: {', '.join(slugs)}")
