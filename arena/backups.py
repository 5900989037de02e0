"""A consistent copy of the whole database while the site is serving, and back from it.

The copy is one SQLite file whatever the database is, so that it can be read anywhere, and restored
into either kind. What identifies a network for a day, and who holds which lease, is not in it.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import pysqlite3.dbapi2 as sqlite
from sqlalchemy import (
    Connection,
    Engine,
    MetaData,
    String,
    Table,
    create_engine,
    func,
    insert,
    inspect,
    select,
    text,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session
from sqlalchemy.schema import Column

from arena.database import Base, Moment, db, now, writing
from arena.limits import DailySalt
from arena.scheduler import Lease

LEFT_OUT = (DailySalt.__tablename__, Lease.__tablename__)
BATCH = 2000
SEQUENCES = (("events", "number"), ("publications", "id"), ("takedown_decisions", "id"))

NOTE = Table(
    "arena_backup",
    MetaData(),
    Column("made_at", Moment, nullable=False),
    Column("revision", String(32), nullable=False),
)


class BackupFault(Exception):
    """A copy that cannot be made or restored; says why and what to do."""


@dataclass(frozen=True, slots=True)
class Copied:
    """What a copy holds."""

    made_at: datetime
    rows: int
    votes: int


def save(path: Path, revision: str) -> Copied:
    """Copy the database into a file that appears whole or not at all.

    Parameters
    ----------
    revision : of the schema, kept with the copy.

    Raises
    ------
    BackupFault
        There is a file already.
    OSError, sqlalchemy.exc.DBAPIError
    """
    if path.exists():
        raise BackupFault(f"{path}: is there already; name a new file")
    partial = path.with_name(f"{path.name}.{secrets.token_hex(4)}.partial")
    try:
        partial.touch(mode=0o600, exist_ok=False)
        with _file(partial) as target, _snapshot() as source:
            copied = _copy_out(source, target, revision)
        _settle(partial)
        os.link(partial, path)  # fails where somebody was quicker, and overwrites nothing
    except FileExistsError:
        raise BackupFault(f"{path}: is there already; name a new file") from None
    finally:
        partial.unlink(missing_ok=True)
    return copied


def restore(path: Path, revision: str) -> Copied:
    """Fill the database, which must hold no votes yet, from a copy: all of it or nothing.

    Raises
    ------
    BackupFault
        The file is no copy, or of another revision, or the database is not empty.
    database.Busy
    """
    try:
        with _file(path) as source, writing() as session:
            made_at = _require_copy(source, path, revision)
            _require_empty(session)
            return _copy_in(source, session, made_at)
    except (sqlite.DatabaseError, DBAPIError) as error:
        said = str(getattr(error, "orig", error)).partition("\n")[0]
        raise BackupFault(f"{path}: cannot be restored: {said}") from error


def _copy_out(source: Connection, target: Connection, revision: str) -> Copied:
    Base.metadata.create_all(target, tables=_tables())
    NOTE.create(target)
    made_at, rows = now(), 0
    for table in _tables():
        for batch in _rows(source, table):
            target.execute(insert(table), batch)
            rows += len(batch)
    target.execute(insert(NOTE), [{"made_at": made_at, "revision": revision}])
    target.commit()
    return Copied(made_at, rows, _count(target, "votes"))


def _copy_in(source: Connection, session: Session, made_at: datetime) -> Copied:
    rows = 0
    for table in reversed(_tables()):
        session.execute(table.delete())
    for table in _tables():
        for batch in _rows(source, table):
            session.execute(insert(table), batch)
            rows += len(batch)
    if session.get_bind().dialect.name == "postgresql":
        for table, column in SEQUENCES:
            session.execute(
                text(
                    f"SELECT setval(pg_get_serial_sequence('{table}', '{column}'),"  # noqa: S608
                    f" COALESCE(MAX({column}), 0) + 1, false) FROM {table}"
                )
            )
    return Copied(made_at, rows, _count(source, "votes"))


def _tables() -> list[Table]:
    """Every table of the site that is copied, those that others refer to first."""
    return [table for table in Base.metadata.sorted_tables if table.name not in LEFT_OUT]


def _rows(source: Connection, table: Table) -> Iterator[Sequence[dict[str, object]]]:
    found = source.execute(select(table).execution_options(yield_per=BATCH))
    for batch in found.mappings().partitions():
        yield [dict(row) for row in batch]


def _count(connection: Connection, name: str) -> int:
    table = Base.metadata.tables[name]
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _require_copy(source: Connection, path: Path, revision: str) -> datetime:
    if not inspect(source).has_table(NOTE.name):
        raise BackupFault(f"{path}: is no backup of this site's")
    made_at, made_by = source.execute(select(NOTE.c.made_at, NOTE.c.revision)).one()
    if made_by != revision:
        raise BackupFault(
            f"{path}: was made at revision {made_by}, and this version is at {revision}: restore it"
            " with the version that made it, then upgrade"
        )
    found: datetime = made_at
    return found


def _require_empty(session: Session) -> None:
    for name in ("events", "publications", "takedown_requests"):
        table = Base.metadata.tables[name]
        if session.scalar(select(func.count()).select_from(table)):
            raise BackupFault(
                f"the database holds {name.replace('_', ' ')} already, which are never deleted:"
                " restore into an empty one"
            )


@contextmanager
def _snapshot() -> Iterator[Connection]:
    """One moment of the database, while others go on writing."""
    with db.engine.connect() as opened:
        if opened.dialect.name == "postgresql":
            opened.execution_options(isolation_level="REPEATABLE READ")
        with opened.begin():
            yield opened


@contextmanager
def _file(path: Path) -> Iterator[Connection]:
    engine: Engine = create_engine(f"sqlite:///{path}", module=sqlite)
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


def _settle(path: Path) -> None:
    """Make sure that the copy is on the disk."""
    for place in (path, path.parent):
        descriptor = os.open(place, os.O_RDONLY)
        with suppress(OSError):
            os.fsync(descriptor)
        os.close(descriptor)
