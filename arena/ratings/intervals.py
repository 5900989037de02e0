"""Standard errors from the observed information, refused where they cannot be stood by."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from arena.ratings.arrays import Matrix, Vector
from arena.ratings.refusals import VarianceNotFinite


def centred_standard_errors(covariance: Matrix, names: Sequence[str]) -> Vector:
    """(n,) standard errors of strengths from which their mean is taken.

    The variance of strength i less the mean is c' H^-1 c with c = e_i - 1/n.

    Parameters
    ----------
    covariance : (n, n) inverse of the observed information H.
    names : n entries, for the refusal.

    Raises
    ------
    VarianceNotFinite
        If a variance is not a finite positive number.
    """
    mean = covariance.mean(axis=0)
    return _roots(np.diagonal(covariance) - 2.0 * mean + mean.mean(), names)


def standard_errors(covariance: Matrix, names: Sequence[str]) -> Vector:
    """(n,) standard errors of strengths as they stand.

    Raises
    ------
    VarianceNotFinite
        If a variance is not a finite positive number.
    """
    return _roots(np.diagonal(covariance), names)


def _roots(variance: Vector, names: Sequence[str]) -> Vector:
    sound = np.isfinite(variance) & (variance > 0.0)
    if not sound.all():
        index = int(np.argmin(sound))
        raise VarianceNotFinite(names[index], float(variance[index]))
    return np.sqrt(variance)
