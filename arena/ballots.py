"""What a ballot is: a pair put into one session's hands, good once, for five minutes.

The token carries the ballot, its axis and its session under a signature with its time; the row
keeps how the pair was drawn and what the board expected at that moment, so that forecasts can be
judged later.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from itsdangerous import BadData, URLSafeTimedSerializer
from sqlalchemy import Double, Index, Integer, String
from sqlalchemy.orm import Mapped, Session, mapped_column

from arena.database import Base, Moment, now
from arena.outlooks import Expected
from arena.roster import Site, presence

LIFETIME = timedelta(minutes=5)


class Choice(StrEnum):
    """What a voter may say to a pair."""

    LEFT = "left"
    RIGHT = "right"
    TIE = "tie"
    SKIP = "skip"


class Ballot(Base):
    """One pair as displayed, drawn for one session on one axis."""

    __tablename__ = "ballots"
    __table_args__ = (
        Index(None, "session", "axis", "drawn_at"),
        Index(None, "address", "drawn_at"),
        Index(None, "axis", "drawn_at"),
        {"sqlite_with_rowid": False},
    )

    id: Mapped[str] = mapped_column(String(22), primary_key=True)
    axis: Mapped[str] = mapped_column(String(64))
    left: Mapped[str] = mapped_column(String(64))
    right: Mapped[str] = mapped_column(String(64))
    strategy: Mapped[str] = mapped_column(String(16))
    forecast: Mapped[float | None] = mapped_column(Double)
    """P(left wins given that somebody wins) by the publication; None without one."""
    forecast_tie: Mapped[float | None] = mapped_column(Double)
    """P(tie) by the same publication."""
    publication: Mapped[int | None] = mapped_column(Integer)
    session: Mapped[str] = mapped_column(String(32))
    address: Mapped[str | None] = mapped_column(String(32))
    drawn_at: Mapped[datetime] = mapped_column(Moment)


class Refused(Exception):
    """A vote that cannot be taken; nothing was recorded."""

    axis: str | None = None


class BadToken(Refused):
    """The token is missing, malformed, forged, or was made for another purpose."""


class UnknownChoice(Refused):
    """The choice is none of the four."""

    def __init__(self, axis: str) -> None:
        super().__init__("the choice is none of left, right, tie, skip")
        self.axis = axis


class ForeignBallot(Refused):
    """The ballot is in another session's hands, or there is no session."""

    def __init__(self, axis: str) -> None:
        super().__init__("this ballot belongs to another browser")
        self.axis = axis


class AlreadyVoted(Refused):
    """The ballot was voted on.

    Attributes
    ----------
    ballot : the ballot.
    stands : the choice that was recorded.
    sent : the choice that came now.
    counted : False once the recorded choice was taken back or taken out.
    """

    def __init__(self, ballot: Ballot, stands: Choice, sent: Choice, *, counted: bool) -> None:
        super().__init__(f"this ballot was already voted on: {stands}")
        self.axis = ballot.axis
        self.ballot = ballot
        self.stands = stands
        self.sent = sent
        self.counted = counted


class Expired(Refused):
    """The ballot is older than `LIFETIME`."""

    def __init__(self, axis: str, drawn_at: datetime) -> None:
        super().__init__(f"this ballot was drawn at {drawn_at:%H:%M:%S} UTC and has run out")
        self.axis = axis
        self.drawn_at = drawn_at


class Withdrawn(Refused):
    """An entry or the axis has left the site since the ballot was drawn."""

    def __init__(self, axis: str, what: str) -> None:
        super().__init__(f"{what} has been withdrawn")
        self.axis = axis
        self.what = what


@dataclass(frozen=True, slots=True)
class Ticket:
    """What a genuine token says."""

    ballot: str
    axis: str
    session: str
    signed_at: datetime


class Tokens:
    """Signs ballots and reads them back; several keys, the current one last."""

    VOTE, UNDO = "ballot", "undo"

    def __init__(self, keys: tuple[str, ...]) -> None:
        self._of = {
            purpose: URLSafeTimedSerializer(list(keys), salt=f"arena.{purpose}")
            for purpose in (self.VOTE, self.UNDO)
        }

    def sign(self, ballot: Ballot, purpose: str = VOTE) -> str:
        """Sign a ballot for voting on it, or for taking the vote back."""
        return self._of[purpose].dumps([ballot.id, ballot.axis, ballot.session])

    def read(self, token: str | None, *purposes: str) -> Ticket:
        """Read a token made for one of these purposes.

        Raises
        ------
        BadToken
        """
        for purpose in purposes:
            try:
                payload, signed_at = self._of[purpose].loads(token or "", return_timestamp=True)
            except BadData:
                continue
            ballot, axis, session = payload
            return Ticket(ballot, axis, session, signed_at)
        raise BadToken("the ballot's signature is not ours")


def expired(ticket: Ticket) -> bool:
    """Whether the ticket is past its time; its very last second is still good."""
    return now() - ticket.signed_at > LIFETIME


def withdrawn(session: Session, site: Site, ballot: Ballot) -> str | None:
    """What has left the site since the ballot was drawn: the axis or an entry; None if nothing."""
    if site.axis(ballot.axis) is None or ballot.axis not in presence.present(session, "axis"):
        return "This question"
    present = presence.present(session, "entry")
    for slug in (ballot.left, ballot.right):
        entry = site.entry(slug)
        if entry is None or slug not in present:
            return slug if entry is None else entry.name
    return None


def record(
    session: Session,
    axis: str,
    left: str,
    right: str,
    *,
    strategy: str,
    expected: Expected | None,
    holder: str,
    address: str | None,
) -> Ballot:
    """Write a drawn pair as a ballot inside the caller's transaction.

    Parameters
    ----------
    expected : what the newest publication expects of it, with the sides as displayed.
    holder : hash of the session that may vote on it.
    address : today's hash of the network address that asked for it.
    """
    ballot = Ballot(
        id=secrets.token_urlsafe(16),
        axis=axis,
        left=left,
        right=right,
        strategy=strategy,
        forecast=None if expected is None else expected.p,
        forecast_tie=None if expected is None else expected.tie,
        publication=None if expected is None else expected.publication,
        session=holder,
        address=address,
        drawn_at=now(),
    )
    session.add(ballot)
    return ballot
