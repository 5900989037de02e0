"""The cookie that says which browser this is, and nothing else."""

from __future__ import annotations

from flask import request
from werkzeug.wrappers import Response

from arena import sessions


def session() -> sessions.Session | None:
    """The session of this browser; None where it has none."""
    return sessions.resume(request.cookies.get(_name()))


def holder() -> str | None:
    """What the database knows of it."""
    found = session()
    return None if found is None else found.hash


def remember(response: Response, found: sessions.Session) -> None:
    """Set the cookie."""
    response.set_cookie(
        _name(),
        found.identifier,
        max_age=sessions.LIFETIME_SECONDS,
        path="/",
        secure=request.is_secure,
        httponly=True,
        samesite="Lax",
    )


def forget(response: Response) -> None:
    """Delete the cookie: nobody can say any more whose votes they were."""
    response.delete_cookie(
        _name(), path="/", secure=request.is_secure, httponly=True, samesite="Lax"
    )


def _name() -> str:
    return sessions.cookie_name(secure=request.is_secure)
