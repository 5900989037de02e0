"""What people may write into lines that others will read.

Letters and spaces of every script pass, and the joiners that some scripts spell with. What moves
the cursor or turns the direction of what follows does not, for it would show other than it is.
"""

from __future__ import annotations

import unicodedata

UNSHOWABLE = frozenset({"Cc", "Cs", "Zl", "Zp"})
"""Categories of Unicode: controls, halves of characters, separators of lines and paragraphs."""
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Embeddings, overrides and isolates of direction."""
INVISIBLE = frozenset({"Cc", "Cf", "Zs", "Zl", "Zp"})


def is_legible(text: str, breaks: str = "") -> bool:
    """Whether a text shows as it is; `breaks` are controls that it may hold all the same."""
    return all(
        character in breaks
        or (unicodedata.category(character) not in UNSHOWABLE and character not in TURNING)
        for character in text
    )


def is_blank(text: str) -> bool:
    """Whether there is nothing to see in it."""
    return all(unicodedata.category(character) in INVISIBLE for character in text)
