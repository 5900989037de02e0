"""The engine, how transactions begin on it, and the rows that the database itself keeps.

Two rules live here and nowhere else. What was acknowledged is on the disk: SQLite runs in WAL
mode with full synchronisation on every connection. A transaction that writes says so when it
begins: one that reads first and writes later fails at once under load, whatever its time-out.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import pysqlite3.dbapi2 as sqlite
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy import (
    BigInteger,
    Connection,
    DateTime,
    Dialect,
    Integer,
    MetaData,
    TypeDecorator,
    event,
    text,
)
from sqlalchemy.dialects import postgresql
from sqlalchemy.dialects import sqlite as sqlite_dialect
from sqlalchemy.engine import URL, Engine
from sqlalchemy.exc import DBAPIError, DisconnectionError, InternalError, OperationalError
from sqlalchemy.orm import DeclarativeBase, Session
from sqlalchemy.pool import ConnectionPoolEntry

MIGRATIONS = Path(__file__).resolve().parent / "migrations"
LOCK_SECONDS = 3.0
SAFE_SQLITE = (3, 51, 3)
WRITING = "arena_writing"


class Base(DeclarativeBase):
    """What every table shares: constraint names that migrations can rely on."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_name)s",
            "pk": "pk_%(table_name)s",
        }
    )


db = SQLAlchemy(model_class=Base, session_options={"expire_on_commit": False})


class Moment(TypeDecorator[datetime]):
    """An instant in UTC; SQLite forgets the zone, so it is put back on the way out."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=value.tzinfo or UTC)


LogNumber = BigInteger().with_variant(Integer, "sqlite")
"""Number of an event in the log: SQLite counts rows only in a plain INTEGER."""


def now() -> datetime:
    """The time, in UTC, to the microsecond: the one clock of the domain."""
    return datetime.now(UTC)


class Busy(Exception):
    """The database is locked, read-only or away; the same request may be sent again."""


AWAY = (OperationalError, InternalError)
"""What drivers raise then. PostgreSQL's refusal to write on a standby is an internal error."""


def engine_options(url: URL) -> dict[str, Any]:
    """Options of `create_engine` for this database."""
    if url.get_backend_name() == "sqlite":
        return {
            "module": sqlite,
            "connect_args": {"timeout": LOCK_SECONDS, "check_same_thread": False},
        }
    return {
        "pool_pre_ping": True,
        "connect_args": {
            "connect_timeout": int(LOCK_SECONDS),
            "prepare_threshold": None,  # a pooler in transaction mode cannot keep them
        },
    }


def sqlite_version() -> str:
    """Version of the SQLite library that is loaded."""
    return str(sqlite.sqlite_version)


def may_share(url: URL) -> bool:
    """Whether several processes may write this database with the library that is loaded.

    SQLite before 3.51.3 can corrupt a WAL file that several connections write.
    """
    return url.get_backend_name() != "sqlite" or sqlite.sqlite_version_info >= SAFE_SQLITE


def prepare(engine: Engine) -> None:
    """Register on this engine how its connections open and how its transactions begin."""
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _open_sqlite)
        event.listen(engine, "connect", partial(_note_file, str(engine.url.database)))
        event.listen(engine, "checkout", partial(_require_file, str(engine.url.database)))
        event.listen(engine, "begin", _begin_sqlite)
    else:
        event.listen(engine, "begin", _begin_postgresql)


def _open_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None  # the driver must not begin transactions of its own
    cursor = connection.cursor()
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        "foreign_keys = ON",
        "secure_delete = ON",
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _note_file(path: str, _connection: object, record: ConnectionPoolEntry) -> None:
    record.info["file"] = _identity(path)


def _require_file(path: str, _connection: object, record: ConnectionPoolEntry, _: object) -> None:
    """Leave a file that was moved away or replaced: what is written there, nobody would find."""
    if record.info["file"] != _identity(path):
        raise DisconnectionError("the database file is not the one that was opened")


def _identity(path: str) -> tuple[int, int] | None:
    """Device and number of a file; None where there is none."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get(WRITING)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _begin_postgresql(connection: Connection) -> None:
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{int(LOCK_SECONDS * 1000)}ms'")


@contextmanager
def writing() -> Iterator[Session]:
    """One write transaction: committed at the end, rolled back on any error.

    Raises
    ------
    Busy
        The lock could not be had in time, or the database is away.
    """
    db.session.rollback()  # a read transaction that is open would not become a writing one
    try:
        with _file_lock(db.engine):
            db.session.connection(execution_options={WRITING: True})
            yield db.session()
            db.session.commit()
    except AWAY as error:
        raise Busy(str(error.orig).partition("\n")[0]) from error
    finally:
        db.session.rollback()


@contextmanager
def _file_lock(engine: Engine) -> Iterator[None]:
    """Let the writers of one SQLite file queue outside the database.

    Waiting in SQLite's own busy handler sleeps in growing steps and starves the unlucky; a
    file lock that is asked for often cuts the slowest waits to a fraction.
    """
    if engine.dialect.name != "sqlite":
        yield
        return
    path = f"{engine.url.database}.lock"
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise Busy(f"{path}: {error.strerror}") from error
    try:
        deadline = time.monotonic() + LOCK_SECONDS
        while not _taken(descriptor):
            if time.monotonic() > deadline:
                raise Busy("another process holds the database's write lock")
            time.sleep(0.001)
        yield
    finally:
        os.close(descriptor)


def _taken(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def insert_if_absent(
    session: Session, table: type[Base], rows: Sequence[Mapping[str, object]]
) -> None:
    """Insert rows, leaving those whose primary key is taken as they are."""
    dialect = postgresql if session.get_bind().dialect.name == "postgresql" else sqlite_dialect
    if rows:
        session.execute(dialect.insert(table).on_conflict_do_nothing(), list(rows))


def answers() -> bool:
    """Whether the log can be read now, and the database takes writes."""
    try:
        db.session.execute(text("SELECT number FROM events LIMIT 1"))
        if db.engine.dialect.name == "postgresql":
            writable = "SELECT CAST(current_setting('transaction_read_only') = 'off' AS integer)"
            return bool(db.session.execute(text(writable)).scalar_one())
        db.session.rollback()
        with db.engine.connect().execution_options(**{WRITING: True}) as connection:
            connection.exec_driver_sql("DELETE FROM leases WHERE 0")
            connection.rollback()
    except DBAPIError as error:
        return "database is locked" in str(error)  # somebody is writing: that is what it is for
    return True


ADVISORY_LOCK = text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))")


@contextmanager
def alone(purpose: str) -> Iterator[None]:
    """Let one process at a time do this, on however many machines; SQLite's writers queue anyway.

    Raises
    ------
    sqlalchemy.exc.OperationalError
    """
    if db.engine.dialect.name != "postgresql":
        yield
        return
    with db.engine.connect() as connection:
        connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
        connection.execute(ADVISORY_LOCK, {"key": purpose})
        yield


def hold(session: Session, key: str) -> None:
    """Keep other transactions off a key until this one ends; SQLite writes one at a time."""
    if session.get_bind().dialect.name == "postgresql":
        session.execute(ADVISORY_LOCK, {"key": key})
