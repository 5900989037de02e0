"""The registry of methods: one file and one line each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from arena.ratings.figures import Figures, Standing
from arena.ratings.method import Method
from arena.ratings.methods.arena import ARENA
from arena.ratings.methods.preferences import PREFERENCES
from arena.ratings.methods.versus import VERSUS

METHODS: Mapping[str, Method[Any]] = MappingProxyType(
    {method.name: method for method in (ARENA, PREFERENCES, VERSUS)}
)

__all__ = ["METHODS", "Figures", "Method", "Standing"]
