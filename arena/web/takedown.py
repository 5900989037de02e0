"""Asking for a picture to be taken down, and following what became of it."""

from __future__ import annotations

from flask import Blueprint, make_response, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from arena import limits, takedowns
from arena.site import current_arena

bp = Blueprint("takedown", __name__)
FIELDS = ("entry", "name", "contact", "claim")


@bp.get("/takedown")
def form() -> AnyResponse:
    """The form; `?entry=` chooses the picture that it is about."""
    return _form(200, {"entry": request.args.get("entry", "")}, {})


@bp.post("/takedown")
def file() -> AnyResponse:
    """File a request and answer with its reference and its private link."""
    filled = {field: request.form.get(field, "") for field in FIELDS}
    try:
        filed = takedowns.file_request(
            **filled,
            known=current_arena().site.entry(filled["entry"]) is not None,
            address=limits.address_hash(request.remote_addr),
        )
    except takedowns.BadRequest as error:
        return _form(400, filled, error.faults)
    entry = current_arena().site.entry(filled["entry"])
    link = url_for("takedown.status", key=filed.key)
    return make_response(
        render_template("takedown_filed.html", filed=filed, link=link, entry=entry), 201
    )


@bp.get("/takedown/<key>")
def status(key: str) -> AnyResponse:
    """What became of a request, for whoever has its private link."""
    case = takedowns.case_of_key(key)
    page = render_template(
        "takedown_status.html", case=case, entry=current_arena().site.entry(case.request.entry)
    )
    response = make_response(page)
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _form(status: int, filled: dict[str, str], faults: dict[str, str]) -> AnyResponse:
    page = render_template(
        "takedown.html",
        filled=filled,
        faults=faults,
        longest_line=takedowns.LONGEST_LINE,
        longest_text=takedowns.LONGEST_TEXT,
    )
    return make_response(page, status)
