"""How pictures are shrunk and compressed: the one place where quality is set.

Chosen by eye on the studio renders, at full size beside the original: at about ten kilobytes the
edges are sharp and the backdrop's soft shadows do not band. AVIF keeps full chroma, since painted
shells have hard edges between saturated colours and it costs about a twentieth more. One thread
and no tiling, as the bytes that several threads make differ from those that one makes.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from io import BytesIO
from typing import Any, Literal

from PIL import Image

from arena.images.originals import STAGE

Format = Literal["avif", "webp"]
FORMATS: tuple[Format, ...] = ("avif", "webp")
SLOTS = (480, 960)
SETTINGS: dict[str, Any] = {
    "avif": {
        "autotiling": False,
        "max_threads": 1,
        "quality": 55,
        "speed": 6,
        "subsampling": "4:4:4",
    },
    "resampling": "lanczos",
    "slots": list(SLOTS),
    "stage": STAGE,
    "webp": {"method": 6, "quality": 78},
}
FINGERPRINT = hashlib.sha256(json.dumps(SETTINGS, sort_keys=True).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Encoded:
    """One compressed picture.

    Attributes
    ----------
    slot : the width that it stands for; `width` is less where the original is.
    """

    format: Format
    slot: int
    width: int
    height: int
    data: bytes


def file_name(slug: str, slot: int, file_format: str) -> str:
    """Name the file of one slot and format."""
    return f"{slug}-{slot}.{file_format}"


def encode(pixels: Image.Image) -> tuple[Encoded, ...]:
    """Compress a picture for each slot in each format; one narrower than a slot is not enlarged."""
    return tuple(
        Encoded(file_format, slot, *image.size, _compressed(image, file_format))
        for slot in SLOTS
        for image in (_shrunk(pixels, slot),)
        for file_format in FORMATS
    )


def _shrunk(pixels: Image.Image, slot: int) -> Image.Image:
    if pixels.width <= slot:
        return pixels
    height = max(1, round(pixels.height * slot / pixels.width))
    return pixels.resize((slot, height), Image.Resampling.LANCZOS)


def _compressed(image: Image.Image, file_format: Format) -> bytes:
    target = BytesIO()
    image.save(target, file_format, **SETTINGS[file_format])
    return target.getvalue()
