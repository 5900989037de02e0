"""Names for the arrays of the engine; their shapes stand where they are used."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

BoolVector: TypeAlias = NDArray[np.bool_]
IntVector: TypeAlias = NDArray[np.int64]
IntMatrix: TypeAlias = NDArray[np.int64]
Vector: TypeAlias = NDArray[np.float64]
Matrix: TypeAlias = NDArray[np.float64]
