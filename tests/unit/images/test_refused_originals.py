"""Originals that are not taken: each is named with the reason, and nothing is made of it."""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from gallery import Gallery, painted, saved
from PIL import Image, ImageCms

from arena.images import build

SMALL = painted(90, 60)
RGB_PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def png_header(width: int, height: int) -> bytes:
    """A PNG file that claims a size and holds next to nothing."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        check = zlib.crc32(kind + body)
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", check)

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    pixels = chunk(b"IDAT", zlib.compress(bytes(10)))
    return b"\x89PNG\r\n\x1a\n" + head + pixels + chunk(b"IEND", b"")


def spoilt(data: bytes) -> bytes:
    """Turn one byte in the middle of a file."""
    middle = len(data) // 2
    return data[:middle] + bytes((data[middle] ^ 0xFF,)) + data[middle + 1 :]


def cut(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


def moving(file_format: str) -> bytes:
    return saved(SMALL, file_format, save_all=True, append_images=[SMALL.rotate(180)])


BROKEN = "is broken or cut short"
CASES: dict[str, tuple[str, Callable[[], bytes], str]] = {
    "empty": ("rice.png", bytes, "is empty"),
    "cut JPEG": ("rice.jpg", lambda: cut(saved(SMALL, "JPEG")), BROKEN),
    "cut progressive": ("rice.jpg", lambda: cut(saved(SMALL, "JPEG", progressive=True)), BROKEN),
    "cut PNG": ("rice.png", lambda: cut(saved(SMALL, "PNG")), BROKEN),
    "cut WebP": ("rice.webp", lambda: cut(saved(SMALL, "WEBP")), BROKEN),
    "spoilt PNG": ("rice.png", lambda: spoilt(saved(SMALL, "PNG")), BROKEN),
    "bomb": ("rice.png", lambda: png_header(60_000, 60_000), "has too many pixels"),
    "small bomb": ("rice.png", lambda: png_header(10_000, 9_500), "has too many pixels"),
    "just too many": ("rice.png", lambda: png_header(7_100, 7_100), "are too many pixels"),
    "too long": ("rice.png", lambda: png_header(20_000, 100), "is too long"),
    "GIF inside": ("rice.png", lambda: saved(SMALL, "GIF"), "its content is not PNG"),
    "JPEG inside": ("rice.png", lambda: saved(SMALL, "JPEG"), "its content is not PNG"),
    "text inside": ("rice.webp", lambda: b"<svg/>", "its content is not WEBP"),
    "AVIF inside": ("rice.jpg", lambda: saved(SMALL, "AVIF"), "its content is not JPEG"),
    "moving PNG": ("rice.png", lambda: moving("PNG"), "is animated"),
    "moving WebP": ("rice.webp", lambda: moving("WEBP"), "is animated"),
    "broken profile": (
        "rice.png",
        lambda: saved(SMALL, "PNG", icc_profile=b"no profile at all"),
        "its colour profile is broken",
    ),
    "profile of other colours": (
        "rice.jpg",
        lambda: saved(SMALL.convert("CMYK"), "JPEG", icc_profile=RGB_PROFILE),
        "its colour profile is for RGB and its pixels are CMYK",
    ),
    "another kind of file": ("rice.gif", lambda: saved(SMALL, "GIF"), "is no original"),
    "bad slug": ("Rice_1.png", lambda: saved(SMALL, "PNG"), "'Rice_1' is no slug"),
    "not on the roster": ("flan.png", lambda: saved(SMALL, "PNG"), "no entry of the roster"),
}


@pytest.mark.parametrize(("name", "content", "reason"), CASES.values(), ids=CASES)
def test_it_is_refused_with_its_name(
    gallery: Gallery, name: str, content: Callable[[], bytes], reason: str
) -> None:
    gallery.put(name, content())
    (fault,) = gallery.build().faults
    assert str(fault).startswith(f"images/originals/{name}: file: ")
    assert reason in fault.message


@pytest.mark.parametrize(("name", "content"), [case[:2] for case in CASES.values()], ids=CASES)
def test_nothing_is_made_of_it(gallery: Gallery, name: str, content: Callable[[], bytes]) -> None:
    gallery.put(name, content())
    gallery.build()
    assert gallery.contents().keys() == {"manifest.json"}


def test_two_originals_of_one_entry_are_both_refused(gallery: Gallery) -> None:
    gallery.put("rice.png", saved(SMALL, "PNG"))
    gallery.put("rice.webp", saved(SMALL, "WEBP"))
    assert [str(fault) for fault in gallery.build().faults] == [
        f"images/originals/{name}: file: one original an entry is wanted,"
        " there are rice.png and rice.webp"
        for name in ("rice.png", "rice.webp")
    ]


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir], ids=["pipe", "folder"])
def test_what_is_no_file_is_refused(gallery: Gallery, make: Callable[[Path], None]) -> None:
    make(gallery.originals / "rice.png")
    assert [fault.message for fault in gallery.build().faults] == ["is no file"]


def test_an_original_outside_the_site_is_named_as_it_was_given(
    gallery: Gallery, tmp_path_factory: pytest.TempPathFactory
) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    (elsewhere / "rice.png").touch()
    (fault,) = build(elsewhere, gallery.root, gallery.records).faults
    assert fault.file == f"{elsewhere}/rice.png"


def test_every_fault_is_reported_at_once(gallery: Gallery) -> None:
    gallery.put("rice.png", b"")
    gallery.put("trifle.gif", b"GIF89a")
    assert [fault.file for fault in gallery.build().faults] == [
        "images/originals/rice.png",
        "images/originals/trifle.gif",
    ]


def test_a_pillow_limit_that_was_lifted_does_not_let_a_bomb_in(
    gallery: Gallery, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)
    gallery.put("rice.png", png_header(60_000, 60_000))
    assert "are too many pixels" in gallery.build().faults[0].message
