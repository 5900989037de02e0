"""Words that several commands take or say."""

from __future__ import annotations

import click

from arena.legible import is_blank, is_legible


def reason(value: str) -> str:
    """A reason that goes on record: one line with something to read in it, trimmed.

    Raises
    ------
    click.BadParameter
        It is blank, or would not show as it is.
    """
    words = value.strip()
    if is_blank(words):
        raise click.BadParameter("give a reason; it is kept on record")
    if not is_legible(words):
        raise click.BadParameter("must be one line of characters that can be shown")
    return words


def counted(number: int, singular: str, plural: str) -> str:
    """A number with its noun."""
    return f"{number} {singular if number == 1 else plural}"
