"""A folder of small pictures and the roster's records of them, as the tests of pictures need it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from io import BytesIO
from pathlib import Path
from typing import Any

from PIL import Image

from arena.images import Built, build
from arena.roster import Picture

STAGE = (0xE6, 0xE9, 0xEC)
RED, BLUE = (200, 30, 40), (20, 60, 180)


def record(owner: str = "The puddings' own kitchen") -> Picture:
    return Picture(
        source_url="https://puddings.example/rice",
        source_name="Pudding pictures",
        owner=owner,
        licence="CC0-1.0",
        rights="Painted for this test.",
        alt="A pudding",
        retrieved=date(2026, 11, 30),
    )


def painted(width: int = 1200, height: int = 900, mode: str = "RGB") -> Image.Image:
    """A picture with red on its left half and blue on its right half."""
    picture = Image.new("RGB", (width, height), RED)
    picture.paste(BLUE, (width // 2, 0, width, height))
    return picture.convert(mode)


def saved(picture: Image.Image, file_format: str, **options: Any) -> bytes:
    target = BytesIO()
    picture.save(target, file_format, **options)
    return target.getvalue()


def opened(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data))


@dataclass(frozen=True)
class Gallery:
    root: Path
    records: dict[str, Picture]

    @property
    def originals(self) -> Path:
        return self.root / "images" / "originals"

    @property
    def manifest(self) -> Path:
        return self.root / "images" / "manifest.json"

    def put(self, name: str, data: bytes) -> None:
        (self.originals / name).write_bytes(data)

    def build(self, *only: str) -> Built:
        return build(self.originals, self.root, self.records, only)

    def derivative(self, name: str) -> Path:
        return self.root / "images" / name

    def shown(self, slug: str) -> Image.Image:
        """The smaller WebP of an entry, decoded."""
        return opened(self.derivative(f"{slug}-480.webp").read_bytes()).convert("RGB")

    def contents(self) -> dict[str, bytes]:
        """All files beside the originals, by name."""
        folder = self.root / "images"
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}

    def rewrite(self, change: Callable[[Any], object]) -> None:
        """Change the manifest as a hand or a merge would."""
        whole = json.loads(self.manifest.read_text(encoding="utf-8"))
        change(whole)
        text = json.dumps(whole, sort_keys=True, indent=1, ensure_ascii=False)
        self.manifest.write_text(text + "\n", encoding="utf-8")
