"""This browser's own choices: seen, taken back, taken away, and left behind."""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from arena import choices, profiles, public_log, votes
from arena.ballots import Choice, Tokens
from arena.downloads import FORMATS, MEDIA
from arena.profiles import Decided, Lean
from arena.ratings.leans import FEWEST, LEVEL
from arena.site import current_arena
from arena.votes import Receipt
from arena.web import visitor
from arena.web.headers import PRIVATE_PAGE

bp = Blueprint("you", __name__)
COLUMNS = tuple(column for column in public_log.COLUMNS if column != "session")


@dataclass(frozen=True, slots=True)
class Row:
    """One choice as listed, with the token that takes it back."""

    receipt: Receipt
    axis: str
    left: str
    right: str
    undo: str


@dataclass(frozen=True, slots=True)
class Leaning:
    """A lean in words, with the choices behind it: who was chosen over whom."""

    sentence: str
    lean: Lean
    behind: tuple[tuple[str, str], ...]


@bp.get("/you")
def page() -> AnyResponse:
    """The session's choices, the newest first."""
    arena, holder = current_arena(), visitor.holder()
    names = {entry.slug: entry.name for entry in arena.site.entries}
    labels = {axis.slug: axis.label for axis in arena.site.axes}
    made = [] if holder is None else choices.recent(holder)
    decided = [] if holder is None else choices.decided(holder)
    found = profiles.profile(arena.site, [_decided(it) for it in decided])
    leans = [
        Leaning(
            profiles.sentence(lean, arena.site.noun),
            lean,
            tuple(_over(decided[place], names) for place in lean.behind),
        )
        for lean in found.leans
    ]
    return _private(
        render_template(
            "you.html",
            has_session=holder is not None,
            leans=leans,
            profile=found,
            level=LEVEL,
            fewest=FEWEST,
            rows=[_row(it, names, labels) for it in made],
            counts=[] if holder is None else choices.counts(holder),
            labels=labels,
            most=choices.RECENT,
            forgotten="forgotten" in request.args,
        )
    )


@bp.get("/you.<form>")
def download(form: str) -> AnyResponse:
    """All choices of the session as a file."""
    if form not in ("csv", "json"):
        abort(404, "Your choices can be had as CSV and as JSON.")
    holder = visitor.holder()
    found = iter(()) if holder is None else public_log.records(uncounted=True, holder=holder)
    answer = _private("".join(FORMATS[form](COLUMNS, found)))
    answer.mimetype = MEDIA[form]
    answer.headers["Content-Disposition"] = f'attachment; filename="choices.{form}"'
    return answer


@bp.post("/you/undo")
def undo() -> AnyResponse:
    """Take one of the listed choices back."""
    votes.retract(current_arena().tokens, token=request.form.get("ballot"), holder=visitor.holder())
    return redirect(url_for("you.page"), 303)


@bp.post("/you/forget")
def forget() -> AnyResponse:
    """End the session: its votes stay, and nothing links them to this browser any more."""
    answer = redirect(url_for("you.page", forgotten=""), 303)
    visitor.forget(answer)
    return answer


def _decided(receipt: Receipt) -> Decided:
    left, right = receipt.ballot.left, receipt.ballot.right
    return Decided(left, right) if receipt.choice is Choice.LEFT else Decided(right, left)


def _over(receipt: Receipt, names: dict[str, str]) -> tuple[str, str]:
    choice = _decided(receipt)
    return names.get(choice.winner, choice.winner), names.get(choice.loser, choice.loser)


def _row(receipt: Receipt, names: dict[str, str], labels: dict[str, str]) -> Row:
    ballot = receipt.ballot
    return Row(
        receipt,
        labels.get(ballot.axis, ballot.axis),
        names.get(ballot.left, ballot.left),
        names.get(ballot.right, ballot.right),
        current_arena().tokens.sign(ballot, Tokens.UNDO),
    )


def _private(text: str) -> Response:
    return Response(text, mimetype="text/html", headers={"Cache-Control": PRIVATE_PAGE})
