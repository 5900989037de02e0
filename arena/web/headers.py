"""What every answer says to browsers, and which posts are not taken from elsewhere."""

from __future__ import annotations

from itertools import chain
from urllib.parse import urlsplit

from flask import Flask, Response, request
from werkzeug.exceptions import Forbidden, NotFound

POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; form-action 'self';"
    " base-uri 'none'; frame-ancestors 'none'"
)
ALWAYS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
PUBLIC_PAGE = "public, max-age=60"
PRIVATE_PAGE = "no-store"
IMMUTABLE = "public, max-age=31536000, immutable"


class CrossSite(Forbidden):
    """A form was sent here by a page of another site."""

    description = "This form was sent from a page of another site, so nothing was done."


def register(app: Flask) -> None:
    """Guard posts and complete the headers of every answer."""
    app.before_request(_refuse_cross_site_posts)
    app.before_request(_refuse_nul)
    app.after_request(_complete)


def _refuse_cross_site_posts() -> None:
    """Refuse a post that names another site as its origin.

    Browsers say where a form came from; a text browser that says nothing is taken at its word.
    Where `Sec-Fetch-Site` is there it decides alone, since a proxy may rewrite the host.
    """
    if request.method != "POST":
        return
    fetch_site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    if fetch_site is not None:
        if fetch_site not in ("same-origin", "none"):
            raise CrossSite
    elif origin is not None and _host_of(origin) != request.host:
        raise CrossSite


def _refuse_nul() -> None:
    """No address of ours holds a NUL, and PostgreSQL can look up none."""
    named = chain((request.view_args or {}).values(), request.args.values())
    if any("\0" in str(value) for value in named):
        raise NotFound


def _host_of(origin: str) -> str | None:
    """Host and port of an origin; None where it is no address at all."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return None


def _complete(response: Response) -> Response:
    for name, value in ALWAYS.items():
        response.headers.setdefault(name, value)
    if request.is_secure:
        response.headers.setdefault("Strict-Transport-Security", "max-age=31536000")
    if "Cache-Control" not in response.headers or request.method == "POST":
        response.headers["Cache-Control"] = PRIVATE_PAGE
    return response
