"""The public data: a page that describes it, and the files."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Blueprint, Response, abort, jsonify, request, stream_with_context
from werkzeug.wrappers import Response as AnyResponse

from arena.downloads import FORMATS, MEDIA
from arena.open_data import TABLES
from arena.site import current_arena
from arena.web.headers import PRIVATE_PAGE
from arena.web.page import cacheable, public

bp = Blueprint("data", __name__)
CHUNK = 64 * 1024


@bp.get("/data")
def page() -> AnyResponse:
    """What can be downloaded, and what it means."""
    return public("data.html", tables=TABLES.values(), axes=current_arena().site.axes)


@bp.get("/data/schema.json")
def schema() -> Response:
    """The same for programs."""
    return cacheable(
        jsonify(
            {
                it.name: {
                    "title": it.title,
                    "columns": dict(it.columns),
                    "parameters": dict(it.asks),
                    "addresses": [f"/data/{it.name}.{form}" for form in FORMATS],
                }
                for it in TABLES.values()
            }
        )
    )


@bp.get("/data/<name>.<form>")
def table(name: str, form: str) -> Response:
    """One table, as it stands now."""
    found = TABLES.get(name)
    if found is None or form not in FORMATS:
        abort(404, "There is no such file; the page of data lists all of them.")
    site = current_arena().site
    asked = {key: value for key in found.asks if (value := request.args.get(key))}
    if "axis" in asked and site.axis(asked["axis"]) is None:
        abort(404, "There is no such question on this site.")
    lines = FORMATS[form](tuple(found.columns), found.rows(site, asked))
    response = Response(stream_with_context(_in_chunks(lines)), mimetype=MEDIA[form])
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.{form}"'
    response.headers["Cache-Control"] = PRIVATE_PAGE
    return response


def _in_chunks(lines: Iterator[str]) -> Iterator[str]:
    """Lines gathered into pieces worth sending."""
    held: list[str] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size >= CHUNK:
            yield "".join(held)
            held, size = [], 0
    yield "".join(held)
