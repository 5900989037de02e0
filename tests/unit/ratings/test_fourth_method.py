"""A fourth method is one value: added to the registry, everything that reads it follows."""

from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from arena.cli.fit import fit as fit_command
from arena.ratings import bradley_terry
from arena.ratings.arrays import IntVector
from arena.ratings.counts import tally
from arena.ratings.method import Method
from arena.ratings.methods import METHODS
from arena.ratings.order import board_order
from arena.ratings.parts import Anchor, Estimates, Evidence, Mark, Rows, Scale
from arena.ratings.resampling import Resampling

VOTES = [("ash", "birch", "left", 3), ("birch", "cedar", "left", 2), ("cedar", "ash", "tie", 1)]


def no_interval(
    _evidence: Evidence,
    fit: bradley_terry.Fit,
    _anchor: Anchor,
    scale: Scale,
    _resampling: Resampling,
) -> Estimates:
    score = scale.score(scale.strength(fit.theta))
    return Estimates(fit.theta, score, score, score)


def by_name(rows: Rows) -> IntVector:
    return board_order(rows.names)


def plain_ranks(_rows: Rows, order: IntVector) -> list[Mark]:
    return [Mark(rank=place + 1, provisional=False) for place in range(order.size)]


CHESS = Method(
    name="chess",
    model=bradley_terry.fit,
    anchor=lambda _counts, _held_out: Anchor(2.0),
    interval=no_interval,
    scale=Scale(origin=1000.0, unit=400.0 / np.log(10.0), centred=False, digits=0),
    order=by_name,
    marks=plain_ranks,
)


def test_a_method_is_composed_of_parts_of_its_own_and_the_engine_s() -> None:
    figures = CHESS.publish(tally(VOTES))
    wanted = bradley_terry.fit(tally(VOTES).pairs(), 2.0)
    assert [row.entry for row in figures.board] == ["ash", "birch", "cedar"]
    assert [row.strength for row in figures.board] == pytest.approx(list(wanted.theta))
    assert figures.model == {"anchor": 2.0, "nu": None, "temperature": None}


def test_one_line_in_the_registry_brings_it_to_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path
) -> None:
    methods = {**METHODS, "chess": CHESS}
    monkeypatch.setattr("arena.cli.fit.METHODS", methods)
    option = next(it for it in fit_command.params if it.name == "method")
    monkeypatch.setattr(option.type, "choices", tuple(methods))
    file = tmp_path / "votes.csv"
    file.write_text("left,right,outcome\nash,birch,left\n")
    done = CliRunner().invoke(fit_command, [str(file), "--method", "chess", "--format", "json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["method"] == "chess"
