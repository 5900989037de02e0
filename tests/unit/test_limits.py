"""What counts as one network, and that its hash says nothing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from flask import Flask
from sqlalchemy import select

from arena.database import db
from arena.limits import DailySalt, address_hash, network

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("address", "counts_as"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        (None, "unknown"),
        ("", "unknown"),
        ("nonsense", "unknown"),
    ],
)
def test_what_counts_as_one_network(address: str | None, counts_as: str) -> None:
    assert network(address) == counts_as


def test_the_salt_lives_one_day_and_is_gone(app: Flask) -> None:
    with app.app_context(), time_machine.travel(NOON, tick=False) as clock:
        first = address_hash("192.0.2.7")
        assert address_hash("192.0.2.7") == first
        assert address_hash("192.0.2.8") != first
        clock.shift(timedelta(days=1))
        assert address_hash("192.0.2.7") != first
        assert list(db.session.scalars(select(DailySalt.day))) == [
            (NOON + timedelta(days=1)).date()
        ]
