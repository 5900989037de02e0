"""Who a ballot belongs to: a random identifier in a cookie, and its hash in the database.

Nothing but the hash is stored, so that a copy of the database cannot be used to vote in
somebody's name.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from dataclasses import dataclass

LIFETIME_SECONDS = 180 * 24 * 60 * 60
IDENTIFIER = re.compile(r"[A-Za-z0-9_-]{32}")


@dataclass(frozen=True, slots=True)
class Session:
    """One browser's anonymous session."""

    identifier: str
    is_new: bool

    @property
    def hash(self) -> str:
        """What the database knows of it: 32 hexadecimal digits."""
        return hashlib.sha256(self.identifier.encode()).hexdigest()[:32]


def begin() -> Session:
    """Make a session that nobody has had before."""
    return Session(secrets.token_urlsafe(24), is_new=True)


def resume(cookie: str | None) -> Session | None:
    """Take up the session of a cookie; a missing or malformed one is no session."""
    if cookie is None or not IDENTIFIER.fullmatch(cookie):
        return None
    return Session(cookie, is_new=False)


def cookie_name(*, secure: bool) -> str:
    """Name of the cookie; the prefix makes browsers refuse one set by a neighbouring host."""
    return "__Host-arena" if secure else "arena"
