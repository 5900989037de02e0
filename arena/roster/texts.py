"""What single texts of the roster's files may be: slugs, folder names, addresses, characters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import urlsplit

LONGEST_SLUG = 64

_SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_FOLDER = re.compile(r"[^\W_](?:[\w '’-]*\w)?")
_NOT_IN_ADDRESSES = re.compile(r'[\s<>"\\]')
_SITE_ADDRESS = re.compile(r"https?://[^/?#]+", re.IGNORECASE)
_LINE_BREAKS = "\n\r\x0b\x0c\x85\u2028\u2029"
_JOINERS = (
    "\u00ad\u200c\u200d"  # a soft hyphen; what Persian, Indic scripts and emoji are spelt with
)
_BLANK_LETTERS = "\u115f\u1160\u3164\uffa0\u2800"


def bad_slug(slug: str) -> str | None:
    """Say why this is no slug; None where it is one."""
    if not _SLUG.fullmatch(slug):
        return f"{slug!r} is no slug: lower-case a-z, 0-9 and single hyphens inside"
    if len(slug) > LONGEST_SLUG:
        return f"{len(slug)} characters, at most {LONGEST_SLUG} make a slug"
    return None


def bad_folder(name: str) -> str | None:
    """Say why no folder can have this name on every system; None where one can."""
    if len(name) > LONGEST_SLUG or not _FOLDER.fullmatch(name):
        return f"{name!r} cannot name a folder"
    return None


def bad_address(address: str) -> str | None:
    """Say why this is no absolute web address; None where it is one."""
    if not address.isprintable() or _NOT_IN_ADDRESSES.search(address):
        return "holds a character that no address may hold, such as a space"
    try:
        parts = urlsplit(address)
        labels = (parts.hostname or "").split(".")
        numbered = parts.port is not None
    except ValueError:
        return "is no web address"
    if parts.scheme not in ("http", "https"):
        return "must start with https:// or http://"
    if "@" in parts.netloc:
        return "must not hold a user name"
    if len(labels) < 2 or not all(labels) or parts.netloc.startswith("["):
        return "must name a host with a dot in it"
    return "must name no port 0" if numbered and parts.port == 0 else None


def bad_site_address(address: str) -> str | None:
    """Say why pages' addresses cannot be appended to this one; None where they can."""
    if bad_address(address) is None and not _SITE_ADDRESS.fullmatch(address):
        return "must end with the host, without a slash after it"
    return bad_address(address)


def bad_characters(text: str) -> Iterator[str]:
    """Say which characters of a text cannot be seen but hide or turn what is, each once."""
    for character in dict.fromkeys(text):
        if character in _LINE_BREAKS:
            yield "must stand on one line"
        elif character in _BLANK_LETTERS or (
            character not in _JOINERS
            and unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn")
        ):
            yield f"holds U+{ord(character):04X}, which cannot be seen"


def skeleton(text: str) -> str:
    """What is left of a text for a reader who sees neither case, width, joiners nor room.

    Two texts of one skeleton cannot be told apart.
    """
    seen = (c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")
    return " ".join("".join(seen).casefold().split())
