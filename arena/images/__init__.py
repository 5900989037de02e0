"""Pictures: originals in, small files for the pages out, and a manifest that says what is what."""

from __future__ import annotations

from arena.images.build import Built, build
from arena.images.check import check
from arena.images.manifest import Derivative, Derivatives, Manifest, Original
from arena.images.reading import load_manifest

__all__ = [
    "Built",
    "Derivative",
    "Derivatives",
    "Manifest",
    "Original",
    "build",
    "check",
    "load_manifest",
]
