"""Read a picture that somebody handed in, and make plain sRGB pixels of it.

An original may come from any camera or drawing program, and may be broken or hostile. What leaves
this module is upright, opaque, eight bits a channel, in sRGB, and carries nothing but pixels.
"""

from __future__ import annotations

import struct
import warnings
import zlib
from dataclasses import dataclass
from io import BytesIO

import numpy as np
from PIL import Image, ImageCms, ImageOps, UnidentifiedImageError

FORMATS = {".png": "PNG", ".jpg": "JPEG", ".jpeg": "JPEG", ".webp": "WEBP"}
STAGE = "#e6e9ec"
MOST_PIXELS = 50_000_000
LONGEST_SIDE = 16_383  # WebP holds no longer one

_BROKEN = (
    OSError,
    SyntaxError,
    ValueError,
    EOFError,
    IndexError,
    struct.error,
    zlib.error,
    Image.DecompressionBombError,
    Image.DecompressionBombWarning,
    UserWarning,
)
_SRGB = ImageCms.createProfile("sRGB")
_MODES = {"RGB": "RGB", "CMYK": "CMYK", "GRAY": "L"}


class Refused(Exception):
    """An original that is not taken; says why."""


@dataclass(frozen=True, slots=True)
class Raster:
    """The pixels of an original.

    Attributes
    ----------
    pixels : mode RGB, sRGB, upright, without any metadata.
    width, height : as the file's header has them, before any turn that its EXIF asks for.
    """

    pixels: Image.Image
    width: int
    height: int


def header_size(data: bytes, file_format: str) -> tuple[int, int]:
    """Return width and height as the file's header has them.

    Raises
    ------
    Refused
    """
    return _opened(data, file_format).size


def read(data: bytes, file_format: str) -> Raster:
    """Decode an original.

    Parameters
    ----------
    data : the whole file.
    file_format : the one format that it may be in, as Pillow names it.

    Raises
    ------
    Refused
        Empty, broken, cut short, of another format, animated, too large, or with a colour
        profile that cannot be used.
    """
    image = _opened(data, file_format)
    width, height = image.size
    _refuse_size(width, height)
    # A phone's JPEG may carry a second picture (MPO); the first is the one that was taken.
    if getattr(image, "n_frames", 1) > 1 and image.format != "MPO":
        raise Refused("is animated; one still picture is wanted")
    try:
        with warnings.catch_warnings():
            _strict()
            Image.open(BytesIO(data), formats=[file_format]).verify()
            image.load()
            image = ImageOps.exif_transpose(image)
            colour, alpha = _split(image)
    except _BROKEN as error:
        raise Refused(f"is broken or cut short: {_reason(error)}") from error
    return Raster(_on_stage(_srgb(colour, image.info.get("icc_profile")), alpha), width, height)


def _opened(data: bytes, file_format: str) -> Image.Image:
    if not data:
        raise Refused("is empty")
    try:
        with warnings.catch_warnings():
            _strict()
            return Image.open(BytesIO(data), formats=[file_format])
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise Refused(f"has too many pixels, at most {MOST_PIXELS:,} are taken") from error
    except UnidentifiedImageError as error:
        raise Refused(f"its content is not {file_format}, or is broken") from error
    except _BROKEN as error:
        raise Refused(f"is broken or cut short: {_reason(error)}") from error


def _strict() -> None:
    """Take Pillow's warnings about a file's content for what they are: a broken file."""
    warnings.simplefilter("error", Image.DecompressionBombWarning)
    warnings.simplefilter("error", UserWarning)


def _refuse_size(width: int, height: int) -> None:
    if width * height > MOST_PIXELS:
        raise Refused(f"{width} x {height} are too many pixels, at most {MOST_PIXELS:,} are taken")
    if max(width, height) > LONGEST_SIDE:
        raise Refused(f"{width} x {height} is too long, at most {LONGEST_SIDE:,} a side are taken")


def _split(image: Image.Image) -> tuple[Image.Image, Image.Image | None]:
    """Part colour (L, RGB or CMYK, eight bits) from alpha; None where all is opaque."""
    if image.mode.startswith("I"):
        return _split_deep(image)
    if image.mode == "CMYK":
        return image, None
    mode = "L" if image.mode in ("1", "L", "LA") else "RGB"
    if not image.has_transparency_data:
        return image.convert(mode), None
    whole = image.convert("RGBA")
    return whole.convert(mode), whole.getchannel("A")


def _split_deep(image: Image.Image) -> tuple[Image.Image, Image.Image | None]:
    """Scale a 16-bit grey picture to eight bits: Pillow's own conversion would clip it."""
    values = np.asarray(image).astype(np.uint32)
    grey = Image.fromarray(((values * 255 + 32_767) // 65_535).astype(np.uint8))
    clear = image.info.get("transparency")
    if clear is None:
        return grey, None
    return grey, Image.fromarray(np.where(values == clear, 0, 255).astype(np.uint8))


def _srgb(colour: Image.Image, embedded: bytes | None) -> Image.Image:
    """Convert to sRGB by the file's own colour profile; without one RGB and grey are sRGB."""
    if not embedded:
        return colour.convert("RGB")
    try:
        profile = ImageCms.ImageCmsProfile(BytesIO(embedded))
        space = profile.profile.xcolor_space.strip()
    except (OSError, ValueError, ImageCms.PyCMSError) as error:
        raise Refused("its colour profile is broken") from error
    wanted = _MODES.get(space)
    if wanted == "RGB" and colour.mode == "L":
        colour = colour.convert("RGB")
    if wanted != colour.mode:
        raise Refused(f"its colour profile is for {space} and its pixels are {colour.mode}")
    try:
        converted = ImageCms.profileToProfile(
            colour,
            profile,
            _SRGB,
            renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
            outputMode="RGB",
            flags=ImageCms.Flags.BLACKPOINTCOMPENSATION,
        )
    except (OSError, ValueError, ImageCms.PyCMSError) as error:
        raise Refused(f"its colour profile cannot be used: {_reason(error)}") from error
    if converted is None:
        raise Refused("its colour profile cannot be used")
    return converted


def _on_stage(colour: Image.Image, alpha: Image.Image | None) -> Image.Image:
    """Lay the colours on the stage. The new picture has pixels only, whatever the file held."""
    plain = Image.new("RGB", colour.size, STAGE)
    plain.paste(colour, mask=alpha)
    return plain


def _reason(error: BaseException) -> str:
    return " ".join(str(error).split()) or type(error).__name__
