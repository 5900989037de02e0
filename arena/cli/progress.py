"""Bars for long work: on a terminal they show how far it is, in a pipe there are none."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, BinaryIO

import click

from arena.ratings.resampling import Watch, unwatched

STEP = 1 << 20
"""Bytes between two looks at the progress bar."""


@contextmanager
def watch_on_terminal() -> Iterator[Watch]:
    """A bar over the bootstrap, where a person looks on."""
    if not sys.stderr.isatty():
        yield unwatched
        return
    with ExitStack() as open_bars:
        bars: list[Any] = []

        def watch(done: int, of: int) -> None:
            if not bars:
                bar = click.progressbar(length=of, label="Resampling", file=sys.stderr)
                bars.append(open_bars.enter_context(bar))
            bars[0].update(done - bars[0].pos)

        yield watch


def watched(stream: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, with a bar where a person looks on."""
    if not sys.stderr.isatty():
        yield from stream
        return
    size = os.fstat(stream.fileno()).st_size
    with click.progressbar(length=size, label="Reading", file=sys.stderr) as bar:
        unseen = 0
        for line in stream:
            unseen += len(line)
            if unseen >= STEP:
                bar.update(unseen)
                unseen = 0
            yield line
        bar.update(unseen)
