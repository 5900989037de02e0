"""The Davidson fit and the forecasts of the `versus` method on every case, at each given anchor."""

from __future__ import annotations

from typing import Any

import pytest
from oracle_cases import CASES, counts_of

from arena.ratings import davidson
from arena.ratings.forecasts import forecaster
from arena.ratings.methods import METHODS
from arena.ratings.parts import evidence_of

CLOSE = 1e-7

at_every_anchor = pytest.mark.parametrize(
    ("name", "wanted"),
    [
        pytest.param(name, wanted, id=f"{name} at {wanted['anchor']}")
        for name, case in CASES.items()
        for wanted in case["expected"]["versus"] or ()
    ],
)


@at_every_anchor
def test_strengths_and_the_tie_rate_are_the_maximum(name: str, wanted: Any) -> None:
    evidence = evidence_of(counts_of(name))
    fit = davidson.fit(evidence.pairs, wanted["anchor"])
    errors = fit.covariance.diagonal() ** 0.5
    assert fit.converged
    found = {
        "strength": dict(zip(evidence.names, fit.theta, strict=True)),
        "se": dict(zip(evidence.names, errors[:-1], strict=True)),
        "score": dict(zip(evidence.names, METHODS["versus"].scale.score(fit.theta), strict=True)),
        "nu": fit.nu,
        "ln_nu": fit.ln_nu,
        "se_ln_nu": errors[-1],
        "prior_centre": fit.likelihood.prior_centre,
        "log_likelihood": fit.log_likelihood,
        "penalised": fit.penalised,
    }
    for figure, value in found.items():
        assert value == pytest.approx(wanted[figure], abs=CLOSE, rel=0), figure


@at_every_anchor
def test_forecasts_of_pairs_agree(name: str, wanted: Any) -> None:
    evidence = evidence_of(counts_of(name))
    fit = davidson.fit(evidence.pairs, wanted["anchor"])
    known = forecaster(fit, evidence.names, evidence.names, wanted["anchor"])
    assert wanted["pairs"]
    for pair in wanted["pairs"]:
        found = known.forecast(pair["a"], pair["b"])
        for figure in ("difference", "variance", "p", "tie"):
            value = getattr(found, figure)
            assert value == pytest.approx(pair[figure], abs=CLOSE, rel=0), (pair, figure)
        ahead, behind, tie = davidson.chances(found.difference, fit.nu)
        assert ahead / (ahead + behind) == pytest.approx(pair["p_plugin"], abs=CLOSE, rel=0)
        assert tie == pytest.approx(pair["tie_plugin"], abs=CLOSE, rel=0)
