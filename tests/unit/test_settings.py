"""Settings: defaults that work, and what is said about a bad one."""

from __future__ import annotations

import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.settings import BadSetting, Settings

KEY = "0123456789abcdef0123456789abcdef"


def site(tmp_path: Path) -> dict[str, str]:
    """The least environment that names a site folder."""
    (tmp_path / "sources").mkdir(exist_ok=True)
    return {"ARENA_ROOT": str(tmp_path)}


def test_the_defaults_work(tmp_path: Path) -> None:
    settings = Settings.from_environment(site(tmp_path))
    assert settings.database_url.database == str(tmp_path / "instance" / "arena.sqlite3")
    assert (settings.votes_per_minute, settings.ballots_per_minute) == (60, 240)
    assert (settings.trusted_proxies, settings.refit_minutes) == (0, 15)


def test_the_signing_key_is_made_once_and_is_its_owners_alone(tmp_path: Path) -> None:
    first = Settings.from_environment(site(tmp_path)).secret_keys
    file = tmp_path / "instance" / "secret-key"
    assert Settings.from_environment(site(tmp_path)).secret_keys == first
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert len(first[0]) >= 43


def test_a_signing_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    Settings.from_environment(site(tmp_path))
    (tmp_path / "instance" / "secret-key").chmod(0o644)
    with pytest.raises(BadSetting, match=r"ARENA_SECRET_KEY: .* 0644"):
        Settings.from_environment(site(tmp_path))


def _folder(file: Path) -> None:
    file.mkdir(mode=0o700)


def _bytes(file: Path) -> None:
    file.touch(mode=0o600)
    file.write_bytes(b"\xff" * 40)


def _dangling(file: Path) -> None:
    file.symlink_to(file.with_name("nothing"))


@pytest.mark.parametrize("spoil", [_folder, _bytes, _dangling])
def test_a_kept_key_that_cannot_be_read_is_named(
    tmp_path: Path, spoil: Callable[[Path], None]
) -> None:
    (tmp_path / "instance").mkdir()
    spoil(tmp_path / "instance" / "secret-key")
    with pytest.raises(BadSetting, match=r"ARENA_SECRET_KEY: .*secret-key cannot be used"):
        Settings.from_environment(site(tmp_path))


def test_another_driver_for_sqlite_is_not_asked_for(tmp_path: Path) -> None:
    given = {"ARENA_DATABASE_URL": f"sqlite+aiosqlite:///{tmp_path}/x.sqlite3"}
    settings = Settings.from_environment({**site(tmp_path), **given})
    assert settings.database_url.drivername == "sqlite"


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("VOTES_PER_MINUTE", "many", "ARENA_VOTES_PER_MINUTE: 'many' is not a whole number from 1"),
        ("VOTES_PER_MINUTE", "0", "ARENA_VOTES_PER_MINUTE"),
        ("BALLOTS_PER_MINUTE", "-3", "ARENA_BALLOTS_PER_MINUTE"),
        ("TRUSTED_PROXIES", "11", "ARENA_TRUSTED_PROXIES: '11' is not a whole number from 0 to 10"),
        ("REFIT_MINUTES", "1.5", "ARENA_REFIT_MINUTES"),
        ("REFIT_MINUTES", "", "ARENA_REFIT_MINUTES"),
        ("DATABASE_URL", "not an address", "ARENA_DATABASE_URL: not a database address"),
        ("DATABASE_URL", "mysql://host/name", "ARENA_DATABASE_URL: mysql is not supported"),
        ("DATABASE_URL", "sqlite://", "ARENA_DATABASE_URL: the database must be a file"),
        ("SECRET_KEY", "short", "ARENA_SECRET_KEY: shorter than 16"),
        ("SECRET_KEY_PREVIOUS", "short", "ARENA_SECRET_KEY_PREVIOUS: shorter than 16"),
        ("SECRET_KEY", "\udcff" * 20, "ARENA_SECRET_KEY: is not UTF-8"),
        ("ROOT", "/nowhere/at/all", "ARENA_ROOT: '/nowhere/at/all' holds no sources/"),
        ("ROOT", "~nobody-here/x", "ARENA_ROOT: '~nobody-here/x' is no path"),
        ("DATABASE_URL", "sqlite:///~nobody-here/x", "ARENA_DATABASE_URL: '~nobody-here/x'"),
    ],
)
def test_a_bad_value_is_named_with_what_would_be_right(
    tmp_path: Path, name: str, value: str, said: str
) -> None:
    environment = {**site(tmp_path), "ARENA_SECRET_KEY": KEY, f"ARENA_{name}": value}
    with pytest.raises(BadSetting) as error:
        Settings.from_environment(environment)
    assert said in str(error.value)


@pytest.mark.parametrize("scheme", ["postgresql", "postgres", "postgresql+psycopg"])
def test_postgresql_is_spoken_to_by_one_driver(tmp_path: Path, scheme: str) -> None:
    environment = {**site(tmp_path), "ARENA_DATABASE_URL": f"{scheme}://u@h/d"}
    assert Settings.from_environment(environment).database_url.drivername == "postgresql+psycopg"


def test_the_previous_key_stands_before_the_current_one(tmp_path: Path) -> None:
    environment = {
        **site(tmp_path),
        "ARENA_SECRET_KEY": KEY,
        "ARENA_SECRET_KEY_PREVIOUS": KEY[::-1],
    }
    assert Settings.from_environment(environment).secret_keys == (KEY[::-1], KEY)
