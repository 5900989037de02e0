"""Why a fit is not published: figures that nobody could stand by, named with their values."""

from __future__ import annotations


class Refused(ArithmeticError):
    """The figures cannot be stood by, and nothing partial is handed out."""


class PivotNotPositive(Refused):
    """The information matrix could not be factorised at one entry.

    Attributes
    ----------
    entry : its slug, or what else the parameter is.
    value : the pivot.
    """

    def __init__(self, entry: str, value: float) -> None:
        super().__init__(f"{entry}: the pivot of its information is {value!r}, not positive")
        self.entry = entry
        self.value = value


class VarianceNotFinite(Refused):
    """A variance is infinite, negative or not a number.

    Attributes
    ----------
    entry : slug.
    value : the variance.
    """

    def __init__(self, entry: str, value: float) -> None:
        super().__init__(f"{entry}: the variance of its strength is {value!r}")
        self.entry = entry
        self.value = value


class NotConverged(Refused):
    """The search for the maximum ran out of steps.

    Attributes
    ----------
    what : which fit.
    iterations : steps taken.
    """

    def __init__(self, what: str, iterations: int) -> None:
        super().__init__(f"{what} has not converged after {iterations} steps")
        self.what = what
        self.iterations = iterations


class NoAnchor(Refused):
    """No weight of the virtual games makes the forecasts calibrated.

    Attributes
    ----------
    t_low, t_high : temperature at the lightest and at the heaviest anchor.
    """

    def __init__(self, low: float, t_low: float, high: float, t_high: float) -> None:
        super().__init__(
            f"no anchor between {low} and {high} makes the temperature 1: "
            f"it is {t_low:.6g} at {low} and {t_high:.6g} at {high}"
        )
        self.t_low = t_low
        self.t_high = t_high


class CalibrationCostsAccuracy(Refused):
    """The calibrated anchor forecasts held-out votes worse than another anchor that was tried.

    Attributes
    ----------
    anchor, loss : the calibrated weight and its nats a vote.
    best_anchor, best_loss : the same of the best one met.
    """

    def __init__(self, anchor: float, loss: float, best_anchor: float, best_loss: float) -> None:
        super().__init__(
            f"the calibrated anchor {anchor:.6g} loses {loss:.6f} nats a vote on held-out votes, "
            f"while {best_anchor:.6g} loses {best_loss:.6f}"
        )
        self.anchor = anchor
        self.loss = loss
        self.best_anchor = best_anchor
        self.best_loss = best_loss
