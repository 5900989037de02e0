"""How long drawing a pair takes on a roster of a thousand, by either chooser.

    python tests/benchmarks/drawing.py [ENTRIES]

Beside it stands a bare write transaction of the same database in the same minute, which is what
no ballot can do without. The table goes to `tests/benchmarks/drawing.md`.
"""

from __future__ import annotations

import csv
import hashlib
import io
import sys
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from time import perf_counter

import flask_migrate
import numpy as np
from flask import Flask
from sqlalchemy.engine import make_url
from votes import Votes

from arena import create_app, imports, pairing, refits
from arena.database import MIGRATIONS, db, writing
from arena.exchange import read_rows
from arena.roster.presence import enrol
from arena.settings import Settings

sys.path.append(str(Path(__file__).parent.parent))
from world import write_site

HERE = Path(__file__).parent
DRAWS = 300
VOTES = 60_000


def fill(app: Flask, entries: int) -> None:
    """The same votes on both questions, published."""
    log = Votes(entries, VOTES, seed=11)
    outcomes = np.array(["left", "right", "tie"])[log.outcome]
    text = io.StringIO()
    out = csv.writer(text)
    out.writerow(["left", "right", "outcome", "axis", "session", "strategy"])
    for axis in ("sunday", "wobblier"):
        for place, (left, right, outcome) in enumerate(
            zip(log.left, log.right, outcomes, strict=True)
        ):
            strategy = "random" if place % 5 == 0 else "uncertain"
            out.writerow(
                [f"e{left:05d}", f"e{right:05d}", outcome, axis, f"s{place // 20}", strategy]
            )
    data = text.getvalue().encode()
    digest = hashlib.sha256(data).hexdigest()
    rows = list(read_rows(io.BytesIO(data)))
    imports.import_votes(app.extensions["arena"].site, rows, digest=digest)
    refits.refit_all(app.extensions["arena"].site)


def timed(run: Callable[[], object]) -> Iterator[float]:
    for _ in range(DRAWS):
        begun = perf_counter()
        run()
        yield 1000 * (perf_counter() - begun)


def main() -> None:
    entries = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        write_site(root, entries, choosers=("arena", "versus"))
        url = make_url(f"sqlite:///{root / 'arena.sqlite3'}")
        app = create_app(Settings(root, url, ("a signing key for measuring alone",)))
        with app.app_context():
            flask_migrate.upgrade(directory=str(MIGRATIONS))
            with writing() as session:
                enrol(session, app.extensions["arena"].site)
            fill(app, entries)
            print(table(app, entries))


def table(app: Flask, entries: int) -> str:
    known, rng = app.extensions["arena"].site, Random(1)

    def bare() -> None:
        with writing() as session:
            session.connection().exec_driver_sql("UPDATE site_marks SET name = name")

    def draw(axis: str) -> Callable[[], object]:
        def run() -> object:
            return pairing.draw(
                known, known.axis(axis), holder="h", address=None, limit=10**9, rng=rng
            )

        return run

    jobs = {
        "a bare write": bare,
        "chooser arena": draw("sunday"),
        "chooser versus": draw("wobblier"),
    }
    lines = [
        f"# Drawing a pair, {datetime.now(UTC).date()}",
        "",
        f"{entries:,} entries, {VOTES:,} votes on each question, SQLite; {DRAWS} draws each.",
        "",
        "| what | median ms | 95th percentile ms | times a bare write |",
        "|---|---:|---:|---:|",
    ]
    base = 0.0
    for name, run in jobs.items():
        run()
        found = np.array(list(timed(run)))
        middle = float(np.median(found))
        base = base or middle
        high = float(np.percentile(found, 95))
        lines.append(f"| {name} | {middle:.2f} | {high:.2f} | {middle / base:.1f} |")
    text = "\n".join(lines) + "\n"
    (HERE / "drawing.md").write_text(text, encoding="utf-8")
    db.session.rollback()
    return text


if __name__ == "__main__":
    main()
