"""Whether the side that an entry stands on decides: left's share of the decided votes.

References
----------
Wilson (1927), Probable inference, the law of succession, and statistical inference.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

NORMAL_975 = 1.959964


@dataclass(frozen=True, slots=True)
class Share:
    """A part of a number of votes, with Wilson's 95 % interval.

    Attributes
    ----------
    part, whole : numbers of votes.
    share, lower, upper : None where there are no votes.
    """

    part: int
    whole: int
    share: float | None
    lower: float | None
    upper: float | None

    @property
    def holds_half(self) -> bool:
        """Whether an even split is within the interval; True where nothing is known."""
        return self.lower is None or self.upper is None or self.lower <= 0.5 <= self.upper


def share_of(part: int, whole: int) -> Share:
    """A share with its interval (Wilson 1927).

    Raises
    ------
    ValueError
        If the part is negative or more than the whole.
    """
    if not 0 <= part <= whole:
        raise ValueError(f"{part} of {whole} is no share")
    if whole == 0:
        return Share(part, whole, None, None, None)
    share, z2 = part / whole, NORMAL_975**2
    middle = share + z2 / (2 * whole)
    reach = NORMAL_975 * math.sqrt(share * (1 - share) / whole + z2 / (4 * whole**2))
    scale = 1 + z2 / whole
    lower, upper = (middle - reach) / scale, (middle + reach) / scale
    return Share(part, whole, share, max(lower, 0.0), min(upper, 1.0))
