"""How much one network address may ask for, without keeping any address.

An address is hashed with a random salt that lives one day (UTC) and is then deleted: after
midnight nobody, the operator included, can link a hash to an address or to tomorrow's hash.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import secrets
from datetime import date, datetime, timedelta

from sqlalchemy import Date, LargeBinary, delete, select
from sqlalchemy.orm import InstrumentedAttribute, Mapped, Session, mapped_column

from arena.database import Base, db, hold, insert_if_absent, now, writing

WINDOW = timedelta(minutes=1)
UNKNOWN = "unknown"


class DailySalt(Base):
    """The salt of a day; yesterday's is deleted when today's is made."""

    __tablename__ = "daily_salts"

    day: Mapped[date] = mapped_column(Date, primary_key=True)
    salt: Mapped[bytes] = mapped_column(LargeBinary)


class TooMany(Exception):
    """More requests from one address than the limit allows.

    Attributes
    ----------
    what : what there were too many of.
    retry_after : seconds until the next one is taken.
    """

    def __init__(self, what: str, retry_after: int) -> None:
        super().__init__(f"too many {what}; try again in {retry_after} s")
        self.what = what
        self.retry_after = retry_after

    @property
    def wait(self) -> str:
        """The time to wait, in words."""
        return "a second" if self.retry_after == 1 else f"{self.retry_after} seconds"


def network(address: str | None) -> str:
    """The part of an address that counts as one network: IPv4 whole, IPv6 by its /64."""
    try:
        parsed = ipaddress.ip_address((address or "").partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            return str(ipaddress.ip_network((parsed, 64), strict=False))
        return str(parsed.ipv4_mapped)
    return str(parsed)


def address_hash(address: str | None) -> str:
    """Today's hash of a network address: 32 hexadecimal digits."""
    digest = hmac.new(_salt(now().date()), network(address).encode(), hashlib.sha256)
    return digest.hexdigest()[:32]


def _salt(day: date) -> bytes:
    salt = db.session.scalar(select(DailySalt.salt).where(DailySalt.day == day))
    return _make_salt(day) if salt is None else salt


def _make_salt(day: date) -> bytes:
    """Destroy the salts of other days and make today's, once for all processes."""
    with writing() as session:
        session.execute(delete(DailySalt).where(DailySalt.day < day))
        insert_if_absent(session, DailySalt, [{"day": day, "salt": secrets.token_bytes(32)}])
        return session.scalars(select(DailySalt.salt).where(DailySalt.day == day)).one()


def enforce(
    session: Session,
    what: str,
    time: InstrumentedAttribute[datetime],
    address: InstrumentedAttribute[str | None],
    value: str | None,
    limit: int,
) -> None:
    """Raise `TooMany` when this address's latest window is full.

    Parameters
    ----------
    session : the transaction in which the request will be recorded.
    what : what is counted, as the page words it.
    time, address : columns of the table that records such requests.
    value : today's hash of the address; None (a trial without a network) has no limit.
    limit : requests allowed within `WINDOW`.
    """
    if value is None:
        return
    hold(session, f"{what} of {value}")
    query = (
        select(time)
        .where(address == value, time > now() - WINDOW)
        .order_by(time.desc())
        .limit(limit)
    )
    recent = list(session.scalars(query))
    if len(recent) >= limit:
        opens = recent[-1] + WINDOW - now()
        raise TooMany(what, max(1, -(-opens // timedelta(seconds=1))))
