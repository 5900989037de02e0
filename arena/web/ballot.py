"""The vote: a page with a pair, a post that counts, and the page that says what was counted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from flask import (
    Blueprint,
    Response,
    abort,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from arena import limits, pairing, refits, sessions, takedowns, votes
from arena.ballots import Ballot, Choice, Tokens
from arena.database import db, now
from arena.pairing import NothingToCompare
from arena.roster import Axis, presence
from arena.site import current_arena
from arena.web import visitor
from arena.web.headers import PRIVATE_PAGE
from arena.web.pictures import Shown, shown

bp = Blueprint("ballot", __name__)
SMALL_ROSTER_PAIRS = 60


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a session is on an axis.

    Attributes
    ----------
    choice : number of the choice that this ballot would be.
    pairs, judged : unordered pairs that there are, and that the session has judged.
    due : when the next board is due; None before the first.
    """

    choice: int
    pairs: int
    judged: int
    due: datetime | None

    @property
    def is_complete(self) -> bool:
        """Whether the session has judged every pair there is."""
        return self.judged >= self.pairs

    @property
    def is_small(self) -> bool:
        """Whether the end is near enough to be worth naming."""
        return self.pairs <= SMALL_ROSTER_PAIRS


@bp.get("/")
def home() -> AnyResponse:
    """A ballot on the default axis."""
    return _page(current_arena().site.axes[0])


@bp.get("/vote/<axis>")
def show(axis: str) -> AnyResponse:
    """A ballot on an axis."""
    found = current_arena().site.axis(axis)
    if found is None:
        abort(404, "There is no such question on this site.")
    return _page(found)


@bp.post("/vote")
def vote() -> AnyResponse:
    """Count a choice and go on to the next ballot."""
    arena = current_arena()
    ballot = votes.cast(
        arena.site,
        arena.tokens,
        token=request.form.get("ballot"),
        choice=request.form.get("choice"),
        holder=visitor.holder(),
        address=limits.address_hash(request.remote_addr),
        limit=arena.settings.votes_per_minute,
    )
    return redirect(url_for("ballot.show", axis=ballot.axis, after=ballot.id), 303)


@bp.post("/undo")
def undo() -> AnyResponse:
    """Take a vote back and go on to the next ballot."""
    ballot = votes.retract(
        current_arena().tokens, token=request.form.get("ballot"), holder=visitor.holder()
    )
    return redirect(url_for("ballot.show", axis=ballot.axis, after=ballot.id), 303)


def _page(axis: Axis) -> AnyResponse:
    if request.method == "HEAD":  # asks whether the page is there; no ballot is drawn for that
        return Response(headers={"Cache-Control": PRIVATE_PAGE})
    after = request.args.get("after")
    return ballot_page("ballot.html", axis, 200, after=after)


def ballot_page(
    template: str, axis: Axis, status: int, *, after: str | None = None, **context: object
) -> Response:
    """A page that carries a fresh ballot: the vote page itself, or a refusal with the next one.

    Parameters
    ----------
    after : the ballot whose receipt is shown, if this session holds it.
    """
    arena = current_arena()
    session = visitor.session() or sessions.begin()
    receipt = None if after is None else votes.receipt(after, session.hash)
    ballot, limit = None, None
    try:
        ballot = pairing.draw(
            arena.site,
            axis,
            holder=session.hash,
            address=limits.address_hash(request.remote_addr),
            limit=arena.settings.ballots_per_minute,
            rng=arena.rng,
        )
    except NothingToCompare:
        pass  # the page says so
    except limits.TooMany as error:
        limit, status = error, 429 if status == 200 else status
    page = render_template(
        template,
        axis=axis,
        receipt=receipt,
        undo=None if receipt is None else arena.tokens.sign(receipt.ballot, Tokens.UNDO),
        names={entry.slug: entry.name for entry in arena.site.entries},
        ballot=ballot,
        token=None if ballot is None else arena.tokens.sign(ballot),
        sides=() if ballot is None else _sides(ballot),
        progress=None if ballot is None else _progress(axis, session.hash),
        limit=limit,
        **context,
    )
    response = _answer(page, status, session)
    if limit is not None:
        response.headers["Retry-After"] = str(limit.retry_after)
    return response


def _answer(page: str, status: int, session: sessions.Session) -> Response:
    response = make_response(page, status)
    response.headers["Cache-Control"] = PRIVATE_PAGE
    if session.is_new:
        visitor.remember(response, session)
    return response


def _sides(ballot: Ballot) -> tuple[tuple[str, int, Shown], ...]:
    """For either side: the choice it stands for, its access key, and who stands there."""
    site, down = current_arena().site, takedowns.taken_down()
    placed = ((Choice.LEFT, 1, ballot.left), (Choice.RIGHT, 2, ballot.right))
    return tuple(
        (side.value, key, shown(entry, down))
        for side, key, slug in placed
        if (entry := site.entry(slug)) is not None
    )


def _progress(axis: Axis, holder: str) -> Progress:
    arena = current_arena()
    present = presence.present(db.session(), "entry")
    count = sum(entry.slug in present for entry in arena.site.entries)
    judged = votes.pairs_judged(db.session(), axis.slug, holder)
    record = refits.record_of(axis.slug, axis.method)
    every = timedelta(minutes=arena.settings.refit_minutes)
    return Progress(
        choice=len(judged) + 1,
        pairs=count * (count - 1) // 2,
        judged=len(set(judged)),
        due=None if record is None else max(record.tried_at + every, now()),
    )
