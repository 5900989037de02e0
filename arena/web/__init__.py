"""What a visitor meets: one blueprint an errand, and the rules that hold on every page."""

from __future__ import annotations

from flask import Flask

from arena.web import (
    ballot,
    boards,
    changes,
    data,
    diagnostics,
    errors,
    explain,
    files,
    headers,
    matchup,
    method,
    page,
    profile,
    roster,
    takedown,
    you,
)

PAGES = (
    ballot,
    boards,
    changes,
    data,
    diagnostics,
    matchup,
    profile,
    roster,
    method,
    explain,
    takedown,
    you,
    files,
)


def register(app: Flask) -> None:
    """Put all blueprints, error pages, headers and template globals on the application."""
    for module in PAGES:
        app.register_blueprint(module.bp)
    errors.register(app)
    headers.register(app)
    page.register(app)
