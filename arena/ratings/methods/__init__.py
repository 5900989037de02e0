"""The registry of methods: one file and one line each."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from arena.ratings.figures import Figures, Standing
from arena.ratings.method import Method
from arena.ratings.methods.arena import ARENA

METHODS: Mapping[str, Method] = MappingProxyType({method.name: method for method in (ARENA,)})

__all__ = ["METHODS", "Figures", "Method", "Standing"]
