"""What is not a page: pictures, the addresses for machines, and whether all is well."""

from __future__ import annotations

from datetime import timedelta

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    jsonify,
    make_response,
    render_template,
    request,
    send_from_directory,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from arena import refits, takedowns
from arena.database import answers, now
from arena.site import current_arena
from arena.web.headers import IMMUTABLE, PUBLIC_PAGE
from arena.web.page import cacheable

bp = Blueprint("files", __name__)
FRESH_REFITS = 3


@bp.get("/images/<name>")
def picture(name: str) -> AnyResponse:
    """One checked-in derivative; its address with the content's hash is good for ever."""
    arena = current_arena()
    found = arena.pictures.file(name)
    if found is None:
        abort(404, "There is no such picture.")
    slug, derivative = found
    if slug in takedowns.taken_down():
        abort(410, "This picture was taken down at its owner's request.")
    response = send_from_directory(arena.settings.root / "images", name, etag=derivative.sha256)
    current = request.args.get("v") == derivative.version
    response.headers["Cache-Control"] = IMMUTABLE if current else PUBLIC_PAGE
    return response


@bp.get("/favicon.ico")
@bp.get("/favicon.svg")
def favicon() -> AnyResponse:
    """The mark of the site, drawn."""
    response = send_from_directory(str(current_app.static_folder), "favicon.svg")
    response.headers["Cache-Control"] = PUBLIC_PAGE
    return response


@bp.get("/robots.txt")
def robots() -> Response:
    """Machines may read everything but draw no ballots."""
    lines = ["User-agent: *", "Disallow: /vote/", "Disallow: /takedown/"]
    if (address := current_arena().site.address) is not None:
        lines.append(f"Sitemap: {address}{url_for('files.sitemap')}")
    return cacheable(Response("\n".join(lines) + "\n", mimetype="text/plain"))


@bp.get("/sitemap.xml")
def sitemap() -> Response:
    """Every page that is worth finding; absolute where the site knows its own address."""
    site = current_arena().site
    pages = [url_for("ballot.home"), url_for("roster.roster")]
    pages += [
        url_for(it) for it in ("method.page", "data.page", "explain.sources", "explain.privacy")
    ]
    for axis in site.axes:
        pages += [url_for(it, axis=axis.slug) for it in ("boards.board", "diagnostics.page")]
    pages += [url_for("roster.entry", slug=entry.slug) for entry in site.entries]
    text = render_template("sitemap.xml", base=site.address or "", pages=pages)
    return cacheable(Response(text, mimetype="application/xml"))


@bp.get("/healthz")
def health() -> AnyResponse:
    """200 while the database answers and every board's last refit is fresh; 503 otherwise."""
    report = _health()
    response = make_response(jsonify(report), 200 if report["status"] == "ok" else 503)
    response.headers["Cache-Control"] = "no-store"
    return response


def _health() -> dict[str, object]:
    if not answers():
        return {"status": "fault", "database": "away", "refits": {}}
    arena = current_arena()
    limit = timedelta(minutes=FRESH_REFITS * arena.settings.refit_minutes)
    report: dict[str, object] = {}
    fresh = True
    for axis in arena.site.axes:
        record = refits.record_of(axis.slug, axis.method)
        last = None if record is None else record.succeeded_at
        fresh = fresh and last is not None and now() - last <= limit
        report[axis.slug] = {
            "last_success": None if last is None else last.isoformat(),
            "fault": None if record is None else record.fault,
        }
    return {"status": "ok" if fresh else "fault", "database": "ok", "refits": report}
