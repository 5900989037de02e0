"""A pairwise-voting site: ballots, an append-only log, and boards that show their method."""

from __future__ import annotations

from flask import Flask
from flask_migrate import Migrate
from werkzeug.middleware.proxy_fix import ProxyFix

from arena import database, web
from arena.database import db
from arena.settings import Settings, packaged_root
from arena.site import Arena

LARGEST_BODY = 64 * 1024
"""Room for the longest takedown request, four bytes a character, each written as `%XX`."""


def create_app(settings: Settings) -> Flask:
    """Wire the site together.

    Raises
    ------
    roster.RosterFaults
        The files of the site are at fault; nothing is served.
    """
    root = packaged_root()
    app = Flask(
        "arena",
        template_folder=str(root / "templates"),
        static_folder=str(root / "static"),
        static_url_path="/static",
    )
    app.config.update(
        SQLALCHEMY_DATABASE_URI=settings.database_url,
        SQLALCHEMY_ENGINE_OPTIONS=database.engine_options(settings.database_url),
        MAX_CONTENT_LENGTH=LARGEST_BODY,
        MAX_FORM_MEMORY_SIZE=LARGEST_BODY,
        SEND_FILE_MAX_AGE_DEFAULT=0,
    )
    app.extensions["arena"] = Arena.load(settings)
    db.init_app(app)
    Migrate(app, db, directory=str(database.MIGRATIONS))
    with app.app_context():
        database.prepare(db.engine)
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]
    web.register(app)
    return app
