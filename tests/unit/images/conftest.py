"""Fixtures: a site with two puddings on its roster, and the same with its pictures built."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from gallery import Gallery, painted, record, saved


@pytest.fixture
def gallery(tmp_path: Path) -> Gallery:
    """Two entries on the roster, no picture yet."""
    made = Gallery(tmp_path, {"rice": record(), "trifle": record()})
    made.originals.mkdir(parents=True)
    return made


@pytest.fixture(scope="session")
def _built_once(tmp_path_factory: pytest.TempPathFactory) -> Gallery:
    made = Gallery(tmp_path_factory.mktemp("built"), {"rice": record(), "trifle": record()})
    made.originals.mkdir(parents=True)
    made.put("rice.png", saved(painted(), "PNG"))
    made.put("trifle.jpg", saved(painted(320, 240), "JPEG"))
    made.build()
    return made


@pytest.fixture
def built(_built_once: Gallery, tmp_path: Path) -> Gallery:
    """A copy of a site whose pictures are in order; the trifle's original is small."""
    shutil.copytree(_built_once.root, tmp_path, dirs_exist_ok=True)
    return Gallery(tmp_path, dict(_built_once.records))
