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
from arena.database import MIGRATIONS, db, writing
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
            prepare_site(app)
        else:
            _require_ready()
        yield current_arena()
        db.session.remove()
        db.engine.dispose()


def prepare_site(app: Flask) -> Enrolment:
    """Migrate, load the roster and publish; doing it twice changes nothing."""
    with app.app_context():
        flask_migrate.upgrade(directory=str(MIGRATIONS))
        site = current_arena().site
        with writing() as session:
            enrolment = enrol(session, site)
        for outcome in refits.refit_all(site):
            if outcome.fault is not None:
                click.echo(f"refit of {outcome.axis} failed: {outcome.fault}", err=True)
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
    enrolment = prepare_site(app)
    site = app.extensions["arena"].site
    click.echo(f"{site.name}: {len(site.entries)} {site.noun.plural}, {len(site.axes)} questions")
    for what, slugs in (("new", enrolment.added), ("retired", enrolment.retired)):
        if slugs:
            click.echo(f"{what}: {', '.join(slugs)}")
