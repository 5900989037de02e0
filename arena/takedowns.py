"""Requests to take a picture down, and the decisions on them: both appended, never changed.

A request is answered with a reference for talking about it and a private key for following it.
An accepted one acts at once: the picture's address answers that it is gone.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ForeignKey, Index, String, Text, select
from sqlalchemy.orm import Mapped, mapped_column

from arena import limits
from arena.database import Base, Moment, db, now, writing
from arena.legible import is_blank, is_legible

REQUESTS_PER_MINUTE = 5
LONGEST_TEXT = 4000
LONGEST_LINE = 200
ACCEPTED, REJECTED = "accepted", "rejected"
ALPHABET = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


class TakedownRequest(Base):
    """Somebody asks for an entry's picture to be removed."""

    __tablename__ = "takedown_requests"
    __table_args__ = (Index(None, "address", "at"), {"sqlite_with_rowid": False})

    reference: Mapped[str] = mapped_column(String(16), primary_key=True)
    key_hash: Mapped[str] = mapped_column(String(64), unique=True)
    entry: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(LONGEST_LINE))
    contact: Mapped[str] = mapped_column(String(LONGEST_LINE))
    claim: Mapped[str] = mapped_column(Text)
    address: Mapped[str | None] = mapped_column(String(32))
    at: Mapped[datetime] = mapped_column(Moment)


class TakedownDecision(Base):
    """What a maintainer decided; the latest on a request holds."""

    __tablename__ = "takedown_decisions"

    id: Mapped[int] = mapped_column(primary_key=True)
    request: Mapped[str] = mapped_column(ForeignKey("takedown_requests.reference"), index=True)
    verdict: Mapped[str] = mapped_column(String(8))
    reason: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime] = mapped_column(Moment)


class BadRequest(Exception):
    """A takedown request that cannot be filed.

    Attributes
    ----------
    faults : field -> what is wrong with it, in words for the person who filled it in.
    """

    def __init__(self, faults: dict[str, str]) -> None:
        super().__init__("; ".join(faults.values()))
        self.faults = faults


class NoSuchRequest(Exception):
    """No request bears this reference or key."""


@dataclass(frozen=True, slots=True)
class Filed:
    """The answer to a request: its reference, and the key of its private status page."""

    reference: str
    key: str


@dataclass(frozen=True, slots=True)
class Case:
    """A request with all decisions on it, oldest first."""

    request: TakedownRequest
    decisions: tuple[TakedownDecision, ...]

    @property
    def verdict(self) -> str | None:
        """The decision that holds; None while it is open."""
        return self.decisions[-1].verdict if self.decisions else None


def file_request(
    *, entry: str, known: bool, name: str, contact: str, claim: str, address: str | None
) -> Filed:
    """File a request.

    Parameters
    ----------
    entry : slug as the form sent it; `known` says whether the roster has it.
    address : today's hash of the network address; a few a minute are taken from each.

    Raises
    ------
    BadRequest, limits.TooMany, database.Busy
    """
    name, contact = name.strip(), contact.strip()
    claim = claim.replace("\r\n", "\n").strip()
    faults = dict(_faults(known, name, contact, claim))
    if faults:
        raise BadRequest(faults)
    filed = Filed(_reference(), secrets.token_urlsafe(24))
    with writing() as session:
        limits.enforce(
            session,
            "takedown requests",
            TakedownRequest.at,
            TakedownRequest.address,
            address,
            REQUESTS_PER_MINUTE,
        )
        session.add(
            TakedownRequest(
                reference=filed.reference,
                key_hash=_hash(filed.key),
                entry=entry,
                name=name,
                contact=contact,
                claim=claim,
                address=address,
                at=now(),
            )
        )
    return filed


def _faults(known: bool, name: str, contact: str, claim: str) -> Iterator[tuple[str, str]]:
    if not known:
        yield "entry", "Choose the picture that this is about."
    if is_blank(name):
        yield "name", "Tell us who is asking."
    if is_blank(contact):
        yield "contact", "Leave a way to reach you: an e-mail address or a telephone number."
    if is_blank(claim):
        yield "claim", "Say what you own and why the picture should go."
    for field, value, longest, breaks in (
        ("name", name, LONGEST_LINE, ""),
        ("contact", contact, LONGEST_LINE, ""),
        ("claim", claim, LONGEST_TEXT, "\n\t"),
    ):
        if not is_legible(value, breaks):
            yield field, "This holds characters that cannot be shown; please take them out."
        if len(value) > longest:
            yield field, f"This is longer than {longest} characters; please shorten it."


def decide(reference: str, verdict: str, reason: str) -> Case:
    """Append a decision on a request.

    Raises
    ------
    NoSuchRequest, database.Busy
    """
    with writing() as session:
        request = session.get(TakedownRequest, reference.upper())
        if request is None:
            raise NoSuchRequest(reference)
        session.add(
            TakedownDecision(request=request.reference, verdict=verdict, reason=reason, at=now())
        )
    return case(reference)


def case(reference: str) -> Case:
    """The request that bears this reference.

    Raises
    ------
    NoSuchRequest
    """
    request = db.session.get(TakedownRequest, reference.upper())
    if request is None:
        raise NoSuchRequest(reference)
    return _with_decisions(request)


def case_of_key(key: str) -> Case:
    """The request whose private key this is.

    Raises
    ------
    NoSuchRequest
    """
    query = select(TakedownRequest).where(TakedownRequest.key_hash == _hash(key))
    request = db.session.scalar(query)
    if request is None:
        raise NoSuchRequest("this link")
    return _with_decisions(request)


def cases() -> list[Case]:
    """All requests, newest first."""
    query = select(TakedownRequest).order_by(TakedownRequest.at.desc())
    return [_with_decisions(request) for request in db.session.scalars(query)]


def taken_down() -> dict[str, str]:
    """Slugs whose picture is down now, each with the reason given in the decision.

    An entry's picture is down while any request about it stands accepted.
    """
    query = (
        select(TakedownRequest.entry, TakedownRequest.reference, TakedownDecision)
        .join(TakedownDecision, TakedownDecision.request == TakedownRequest.reference)
        .order_by(TakedownDecision.id)
    )
    latest = {reference: (entry, it) for entry, reference, it in db.session.execute(query)}
    return {entry: it.reason for entry, it in latest.values() if it.verdict == ACCEPTED}


def _with_decisions(request: TakedownRequest) -> Case:
    query = (
        select(TakedownDecision)
        .where(TakedownDecision.request == request.reference)
        .order_by(TakedownDecision.id)
    )
    return Case(request, tuple(db.session.scalars(query)))


def _reference() -> str:
    """Eight characters that nobody mistakes for others on the telephone."""
    drawn = "".join(secrets.choice(ALPHABET) for _ in range(8))
    return f"{drawn[:4]}-{drawn[4:]}"


def _hash(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
