"""Every setting of the site, read from the environment once and checked once.

Each has a default that works. A bad value stops the start with the variable's name and with
what would be right, so that nobody finds out from a page at night.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

PREFIX = "ARENA_"
SHORTEST_KEY = 16


class BadSetting(Exception):
    """A setting that cannot be used: its name and what would be right."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What a running site was told.

    Attributes
    ----------
    root : folder that holds ``sources/`` and ``images/``.
    database_url : SQLAlchemy address of the database.
    secret_keys : signing keys, the current one last; older ones still redeem.
    votes_per_minute, ballots_per_minute : limits for one network address.
    trusted_proxies : hops whose forwarding headers are believed.
    refit_minutes : minutes between refits.
    """

    root: Path
    database_url: URL
    secret_keys: tuple[str, ...]
    votes_per_minute: int = 60
    ballots_per_minute: int = 240
    trusted_proxies: int = 0
    refit_minutes: int = 15

    @classmethod
    def from_environment(cls, environ: Mapping[str, str] = os.environ) -> Settings:
        """Read and check all settings; raise `BadSetting` at the first that is wrong."""
        root = _root(environ)
        return cls(
            root=root,
            database_url=_database_url(environ, root),
            secret_keys=_secret_keys(environ, root),
            votes_per_minute=_whole(environ, "VOTES_PER_MINUTE", 60, least=1, most=1_000_000),
            ballots_per_minute=_whole(environ, "BALLOTS_PER_MINUTE", 240, least=1, most=1_000_000),
            trusted_proxies=_whole(environ, "TRUSTED_PROXIES", 0, least=0, most=10),
            refit_minutes=_whole(environ, "REFIT_MINUTES", 15, least=1, most=1440),
        )


def packaged_root() -> Path:
    """The folder of the project's own ``templates/``, ``static/``, ``sources/`` and ``images/``.

    In a wheel they travel inside the package; in a checkout they lie beside it.
    """
    package = Path(__file__).resolve().parent
    inside = package / "_site"
    return inside if inside.is_dir() else package.parent


def data_root(environ: Mapping[str, str] = os.environ) -> Path:
    """The folder that holds the roster: ``ARENA_ROOT``, or the project's own."""
    return _root(environ)


def _root(environ: Mapping[str, str]) -> Path:
    given = environ.get(PREFIX + "ROOT")
    if given is None:
        return packaged_root()
    root = _path("ROOT", given)
    if not (root / "sources").is_dir():
        raise BadSetting(f"ARENA_ROOT: {given!r} holds no sources/ folder; name a site's folder")
    return root


def _path(name: str, given: str) -> Path:
    try:
        return Path(given).expanduser().resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise BadSetting(f"{PREFIX}{name}: {given!r} is no path: {error}") from error


def instance_folder(root: Path) -> Path:
    """Where the database file and the signing key live: ``instance/`` in the site's folder.

    An installed wheel is no place for data: there, it is the working directory's.
    """
    base = Path.cwd() if root == packaged_root() and root.name == "_site" else root
    folder = base / "instance"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise BadSetting(
            f"ARENA_DATABASE_URL, ARENA_SECRET_KEY: {folder} cannot be made ({error.strerror});"
            " set both, or make the folder writable"
        ) from error
    return folder


def _database_url(environ: Mapping[str, str], root: Path) -> URL:
    given = environ.get(PREFIX + "DATABASE_URL")
    if given is None:
        return URL.create("sqlite", database=str(instance_folder(root) / "arena.sqlite3"))
    try:
        url = make_url(given)
    except (ArgumentError, ValueError) as error:
        raise BadSetting(
            "ARENA_DATABASE_URL: not a database address; right would be"
            " sqlite:////var/lib/arena/arena.sqlite3 or postgresql://user@host/name"
        ) from error
    return _with_driver(url)


def _with_driver(url: URL) -> URL:
    backend = url.get_backend_name()
    if backend in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if backend == "sqlite":
        if not url.database or url.database == ":memory:":
            raise BadSetting(
                "ARENA_DATABASE_URL: the database must be a file, so that the web server and"
                " the scheduler see the same one"
            )
        return url.set(drivername="sqlite", database=str(_path("DATABASE_URL", url.database)))
    raise BadSetting(f"ARENA_DATABASE_URL: {backend} is not supported; use sqlite or postgresql")


def _secret_keys(environ: Mapping[str, str], root: Path) -> tuple[str, ...]:
    current = environ.get(PREFIX + "SECRET_KEY")
    if current is None:
        current = _kept_key(instance_folder(root) / "secret-key")
    previous = environ.get(PREFIX + "SECRET_KEY_PREVIOUS")
    for name, key in (("SECRET_KEY", current), ("SECRET_KEY_PREVIOUS", previous)):
        if key is None:
            continue
        if len(key) < SHORTEST_KEY:
            raise BadSetting(
                f"{PREFIX}{name}: shorter than {SHORTEST_KEY} characters; use a long random one"
            )
        if any("\ud800" <= character <= "\udfff" for character in key):
            raise BadSetting(f"{PREFIX}{name}: is not UTF-8 text; use letters, digits and signs")
    return (current,) if previous is None else (previous, current)


def _kept_key(path: Path) -> str:
    """Return the key kept in the file, made once and readable by its owner alone.

    The finished file is linked into place, so that of two processes that start together both
    read the same whole key.
    """
    try:
        if not os.path.lexists(path):
            _make_key(path)
        return _read_key(path)
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not text"
        raise BadSetting(
            f"ARENA_SECRET_KEY: {path} cannot be used ({why}); set the variable or mend the file"
        ) from error


def _make_key(path: Path) -> None:
    draft = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(48))
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)
    draft.unlink()


def _read_key(path: Path) -> str:
    mode = path.stat().st_mode & 0o777
    if mode & 0o077:
        raise BadSetting(
            f"ARENA_SECRET_KEY: {path} has mode {mode:04o}, others may read it; chmod it to 0600"
        )
    return path.read_text(encoding="ascii").strip()


def _whole(environ: Mapping[str, str], name: str, default: int, *, least: int, most: int) -> int:
    given = environ.get(PREFIX + name)
    if given is None:
        return default
    try:
        value = int(given)
    except ValueError:
        value = least - 1
    if not least <= value <= most:
        raise BadSetting(f"{PREFIX}{name}: {given!r} is not a whole number from {least} to {most}")
    return value
