"""The manifest: which files stand for an entry's picture, what they were made from, by what right.

It is checked in with the pictures, so that pages can give every address with its content's hash
without opening a file, and so that a picture's origin can be read beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any

from arena.images.encoder import SETTINGS, Format
from arena.roster.types import Picture

FOLDER = "images"
ORIGINALS = f"{FOLDER}/originals"
MANIFEST_FILE = f"{FOLDER}/manifest.json"
BUILD = f"run `arena images build --from {ORIGINALS}`"
FORMAT_VERSION = 1


@dataclass(frozen=True, slots=True)
class Original:
    """The file that an entry's pictures were made from.

    Attributes
    ----------
    file : its name, without a folder.
    width, height : as its header has them.
    """

    file: str
    sha256: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Derivative:
    """One file that pages show.

    Attributes
    ----------
    slot : the width in its name; `width` is the true one, less where the original is small.
    """

    file: str
    format: Format
    slot: int
    width: int
    height: int
    bytes: int
    sha256: str

    @property
    def version(self) -> str:
        """The part of the address that changes with the content."""
        return self.sha256[:12]

    @property
    def address(self) -> str:
        """Where the file is served, good for ever."""
        return f"/{FOLDER}/{self.file}?v={self.version}"


@dataclass(frozen=True, slots=True)
class Credit:
    """Where a picture comes from and by what right it is shown, as the entry's file says it."""

    source_url: str
    source_name: str
    owner: str
    licence: str
    rights: str

    @classmethod
    def of(cls, picture: Picture) -> Credit:
        """Take over an entry's own record."""
        return cls(**{field.name: getattr(picture, field.name) for field in fields(cls)})


@dataclass(frozen=True, slots=True)
class Derivatives:
    """All files of one entry's picture.

    Attributes
    ----------
    encoder : fingerprint of the settings that they were made with.
    files : by slot, then format.
    """

    original: Original
    credit: Credit
    encoder: str
    files: tuple[Derivative, ...]

    def srcset(self, file_format: Format) -> str:
        """The `srcset` of one format, by true width; equal widths are named once."""
        widths = {file.width: file for file in reversed(self.files) if file.format == file_format}
        return ", ".join(f"{widths[width].address} {width}w" for width in sorted(widths))

    @property
    def fallback(self) -> Derivative:
        """The smallest WebP, for a reader that knows neither AVIF nor `srcset`."""
        return next(file for file in self.files if file.format == "webp")

    @property
    def width(self) -> int:
        """Width of the largest file."""
        return self.files[-1].width

    @property
    def height(self) -> int:
        """Height of the largest file."""
        return self.files[-1].height


@dataclass(frozen=True)
class Manifest:
    """The pictures of all entries, by slug."""

    pictures: Mapping[str, Derivatives]

    def picture(self, slug: str) -> Derivatives | None:
        """Return the entry's pictures, None where none were built."""
        return self.pictures.get(slug)

    def file(self, name: str) -> tuple[str, Derivative] | None:
        """Return the entry and the record of a file in ``images/``, None where there is none."""
        return self._files.get(name)

    @cached_property
    def _files(self) -> dict[str, tuple[str, Derivative]]:
        return {
            file.file: (slug, file)
            for slug, picture in self.pictures.items()
            for file in picture.files
        }


def dump(manifest: Manifest) -> str:
    """Write a manifest out: the same pictures always give the same text."""
    pictures = {slug: _plain(picture) for slug, picture in manifest.pictures.items()}
    whole = {"format": FORMAT_VERSION, "encoder": SETTINGS, "pictures": pictures}
    return json.dumps(whole, sort_keys=True, indent=1, ensure_ascii=False) + "\n"


def _plain(picture: Derivatives) -> dict[str, Any]:
    return {
        "original": asdict(picture.original),
        **asdict(picture.credit),
        "encoder": picture.encoder,
        "derivatives": [asdict(file) for file in picture.files],
    }
