"""What becomes of the pixels of an original: turn, colours, depth, alpha; and what is left out."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest
from gallery import BLUE, RED, STAGE, Gallery, opened, painted, saved
from PIL import Image, ImageCms

FOUR = ("rice-480.avif", "rice-480.webp", "rice-960.avif", "rice-960.webp")
UPSIDE = {1: "left", 3: "right", 6: "top", 8: "bottom"}  # where a turned picture has its red half
SIDES = {"left": (5, 45), "right": (-6, 45), "top": (45, 5), "bottom": (45, -6)}


def close(found: tuple[int, ...], wanted: tuple[int, ...], within: int = 4) -> bool:
    return all(abs(a - b) <= within for a, b in zip(found, wanted, strict=True))


def at(image: Image.Image, place: tuple[int, int]) -> tuple[int, ...]:
    x, y = place[0] % image.width, place[1] % image.height
    return image.getpixel((x, y))  # type: ignore[return-value]


def swapped_profile() -> bytes:
    """An RGB profile whose red and blue primaries have changed places."""
    data = bytearray(ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes())
    for place in range(132, 132 + 12 * int.from_bytes(data[128:132]), 12):
        tag = bytes(data[place : place + 4])
        if tag in (b"rXYZ", b"bXYZ"):
            data[place : place + 4] = b"bXYZ" if tag == b"rXYZ" else b"rXYZ"
    return bytes(data)


def grey_profile() -> bytes:
    """A minimal grey profile with a gamma of 1: linear light."""
    curve = b"curv" + bytes(4) + (0).to_bytes(4) + bytes(4)
    white = b"XYZ " + bytes(4) + bytes.fromhex("0000f6d6000100000000d32d")
    header = bytearray(128)
    header[8:12] = bytes.fromhex("02100000")
    header[12:24] = b"mntrGRAYXYZ "
    header[36:40] = b"acsp"
    header[68:80] = bytes.fromhex("0000f6d6000100000000d32d")
    tags = (2).to_bytes(4)
    tags += b"kTRC" + (156).to_bytes(4) + len(curve).to_bytes(4)
    tags += b"wtpt" + (156 + len(curve)).to_bytes(4) + len(white).to_bytes(4)
    whole = header + tags + curve + white
    whole[0:4] = len(whole).to_bytes(4)
    return bytes(whole)


def described() -> Image.Exif:
    exif = Image.Exif()
    exif[0x010E], exif[0x013B] = "Pudding in the garden", "A. Cook"
    exif.get_ifd(0x8825).update({1: "N", 2: (52.0, 30.0, 0.0), 3: "E", 4: (13.0, 24.0, 0.0)})
    return exif


@pytest.mark.parametrize("orientation", UPSIDE)
@pytest.mark.parametrize(("name", "file_format"), [("rice.jpg", "JPEG"), ("rice.webp", "WEBP")])
def test_a_picture_stands_as_its_exif_says(
    gallery: Gallery, orientation: int, name: str, file_format: str
) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    gallery.put(name, saved(painted(120, 90), file_format, exif=exif, quality=95))
    gallery.build()
    assert close(at(gallery.shown("rice"), SIDES[UPSIDE[orientation]]), RED, 8)


def test_colours_are_converted_by_the_embedded_profile(gallery: Gallery) -> None:
    gallery.put("rice.png", saved(painted(90, 90), "PNG", icc_profile=swapped_profile()))
    gallery.build()
    assert close(at(gallery.shown("rice"), SIDES["left"]), RED[::-1])


def test_grey_is_converted_by_the_embedded_profile(gallery: Gallery) -> None:
    linear = Image.new("L", (90, 90), 55)
    gallery.put("rice.png", saved(linear, "PNG", icc_profile=grey_profile()))
    gallery.build()
    assert close(at(gallery.shown("rice"), (45, 45)), (128, 128, 128))


@pytest.mark.parametrize("mode", ["L", "LA", "P", "1", "RGBA"])
def test_a_profile_for_rgb_serves_every_mode_that_becomes_rgb(gallery: Gallery, mode: str) -> None:
    white = Image.new("RGB", (90, 90), "white").convert(mode)
    gallery.put("rice.png", saved(white, "PNG", icc_profile=swapped_profile()))
    assert gallery.build().faults == ()
    assert close(at(gallery.shown("rice"), (45, 45)), (255, 255, 255))


def test_print_colours_become_screen_colours(gallery: Gallery) -> None:
    gallery.put("rice.jpg", saved(painted(90, 90, "CMYK"), "JPEG", quality=95))
    gallery.build()
    assert close(at(gallery.shown("rice"), SIDES["left"]), RED, 8)


def test_sixteen_bits_of_grey_keep_their_midtones(gallery: Gallery) -> None:
    deep = Image.fromarray(np.full((90, 90), 0x8080, dtype=np.uint16))
    gallery.put("rice.png", saved(deep, "PNG"))
    gallery.build()
    assert close(at(gallery.shown("rice"), (45, 45)), (128, 128, 128))


def test_a_palette_keeps_its_colours(gallery: Gallery) -> None:
    gallery.put("rice.png", saved(painted(90, 90).quantize(2), "PNG"))
    gallery.build()
    assert close(at(gallery.shown("rice"), SIDES["left"]), RED)


def see_through(mode: str) -> tuple[Image.Image, dict[str, object]]:
    if mode == "P":
        return painted(90, 90).quantize(2), {"transparency": bytes((0, 0))}
    if mode == "I;16":
        return Image.fromarray(np.full((90, 90), 7, dtype=np.uint16)), {"transparency": 7}
    if mode == "RGB":
        return Image.new("RGB", (90, 90), RED), {"transparency": RED}
    clear = painted(90, 90, mode)
    clear.putalpha(0)
    return clear, {}


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P", "RGB", "I;16"])
def test_what_is_transparent_shows_the_stage(gallery: Gallery, mode: str) -> None:
    picture, options = see_through(mode)
    gallery.put("rice.png", saved(picture, "PNG", **options))
    gallery.build()
    assert close(at(gallery.shown("rice"), (45, 45)), STAGE)


def test_half_transparent_colour_is_mixed_with_the_stage(gallery: Gallery) -> None:
    picture = Image.new("RGBA", (90, 90), (0, 0, 0, 128))
    gallery.put("rice.webp", saved(picture, "WEBP", lossless=True))
    gallery.build()
    assert close(at(gallery.shown("rice"), (45, 45)), tuple(c * 127 // 255 for c in STAGE))


def test_a_phone_picture_with_a_second_frame_shows_the_first(gallery: Gallery) -> None:
    second = Image.new("RGB", (90, 90), "white")
    first = painted(90, 90)
    gallery.put("rice.jpg", saved(first, "MPO", save_all=True, append_images=[second], quality=95))
    gallery.build()
    assert close(at(gallery.shown("rice"), SIDES["right"]), BLUE, 8)


@pytest.mark.parametrize(
    ("name", "file_format", "extra"),
    [
        ("rice.jpg", "JPEG", {"comment": b"kept for the cook"}),
        ("rice.png", "PNG", {}),
        ("rice.webp", "WEBP", {"xmp": b"<x:xmpmeta xmlns:x='adobe:ns:meta/'/>"}),
    ],
)
def test_nothing_but_pixels_is_left(
    gallery: Gallery, name: str, file_format: str, extra: dict[str, bytes]
) -> None:
    options = {"exif": described(), "icc_profile": swapped_profile(), **extra}
    gallery.put(name, saved(painted(90, 90), file_format, **options))
    gallery.build()
    for file in FOUR:
        data = gallery.derivative(file).read_bytes()
        left = opened(data)
        assert not left.getexif()
        assert not {"exif", "xmp", "icc_profile", "comment"} & left.info.keys()
        assert not hidden_words(data)


def hidden_words(data: bytes) -> set[bytes]:
    words = (b"garden", b"Cook", b"EXIF", b"Exif", b"XMP", b"xmpmeta", b"ICCP", b"prof", b"acsp")
    return {word for word in words if word in data}


@pytest.mark.parametrize("file", FOUR)
def test_each_file_is_what_its_name_says(built: Gallery, file: str) -> None:
    suffix = file.rpartition(".")[2]
    image = Image.open(BytesIO(built.derivative(file).read_bytes()), formats=[suffix.upper()])
    image.load()
    assert image.size == ((960, 720) if "960" in file else (480, 360))
