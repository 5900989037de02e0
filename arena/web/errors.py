"""The one table from what went wrong to a status and a page that says what to do.

A refusal of a vote carries the next ballot on the same page, so that nobody has to go back. Where
the database is away nothing is drawn, and the form can be sent again as it was.
"""

from __future__ import annotations

from flask import Flask, Response, current_app, g, make_response, render_template, request
from sqlalchemy.exc import ProgrammingError
from werkzeug.exceptions import HTTPException, InternalServerError
from werkzeug.wrappers import Response as AnyResponse

from arena.ballots import (
    AlreadyVoted,
    BadToken,
    Expired,
    ForeignBallot,
    Refused,
    UnknownChoice,
    Withdrawn,
)
from arena.database import AWAY, Busy, db
from arena.limits import TooMany
from arena.site import current_arena
from arena.takedowns import NoSuchRequest
from arena.web.ballot import ballot_page

RETRY_AFTER_BUSY = 2

REFUSALS: dict[type[Refused], tuple[int, str]] = {
    BadToken: (400, "forged"),
    UnknownChoice: (400, "unknown-choice"),
    ForeignBallot: (403, "foreign"),
    AlreadyVoted: (409, "already"),
    Expired: (410, "expired"),
    Withdrawn: (410, "withdrawn"),
}

MESSAGES: dict[int, tuple[str, str]] = {
    404: ("Nothing lives here", "The address leads nowhere on this site."),
    405: ("Not like this", "This address does not answer to that kind of request."),
    413: (
        "That was too much to read",
        "What was sent is larger than any form of this site. Nothing was recorded.",
    ),
    500: (
        "A fault of ours",
        "Something broke while this page was made. It has been written down; nothing that was"
        " counted is lost.",
    ),
}


def register(app: Flask) -> None:
    """Answer every error of the domain and of HTTP with a page."""
    app.register_error_handler(Refused, _refused)
    app.register_error_handler(TooMany, _too_many)
    app.register_error_handler(NoSuchRequest, _no_such_request)
    for away in (Busy, *AWAY, ProgrammingError):
        app.register_error_handler(away, _busy)
    app.register_error_handler(HTTPException, _http)
    app.register_error_handler(Exception, _unexpected)


def _refused(error: Refused) -> AnyResponse:
    status, why = REFUSALS[type(error)]
    site = current_arena().site
    axis = None if error.axis is None else site.axis(error.axis)
    try:
        return ballot_page("refused.html", axis or site.axes[0], status, why=why, error=error)
    except (Busy, *AWAY) as away:
        return _busy(away)


def _too_many(error: TooMany) -> AnyResponse:
    response = _message(
        429,
        "That was a lot at once",
        f"This network has sent more {error.what} than one network may in a minute. This one was"
        f" not taken; in {error.wait} it can be sent again.",
    )
    response.headers["Retry-After"] = str(error.retry_after)
    return response


def _no_such_request(_error: NoSuchRequest) -> AnyResponse:
    return _message(
        404, "No such request", "This link leads to no request. Check that it was copied whole."
    )


def _busy(error: Exception) -> AnyResponse:
    """The database is locked or away: keep what was sent, so that it can be sent again."""
    g.database_away = True
    current_app.logger.warning("the database cannot be used now: %s", type(error).__name__)
    db.session.remove()
    sent = list(request.form.items()) if request.method == "POST" else []
    page = render_template("busy.html", resend=request.path if sent else None, fields=sent)
    response = make_response(page, 503)
    response.headers["Retry-After"] = str(RETRY_AFTER_BUSY)
    return response


def _http(error: HTTPException) -> AnyResponse:
    if error.code is None or error.code < 400:
        return error.get_response()
    title, text = MESSAGES.get(error.code, (error.name, ""))
    is_ours = error.description != type(error).description
    said = error.description if is_ours or not text else text
    response = _message(error.code, title, said or "")
    for name, value in error.get_headers():
        if name.lower() in ("allow", "retry-after"):
            response.headers[name] = value
    return response


def _unexpected(error: Exception) -> AnyResponse:
    """A fault of ours: the log gets the whole story, the visitor a sentence."""
    g.database_away = True
    current_app.logger.error("unexpected fault at %s", request.path, exc_info=error)
    db.session.remove()
    return _http(InternalServerError())


def _message(status: int, title: str, text: str) -> Response:
    return make_response(render_template("message.html", title=title, text=text), status)
