"""Compare the pictures that are checked in with their manifest, their originals and the roster.

Headers and hashes are enough: a file whose hash is the recorded one is the file that was built.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict
from io import BytesIO
from pathlib import Path

from PIL import Image

from arena.images.encoder import FINGERPRINT, FORMATS, SLOTS, file_name
from arena.images.manifest import (
    BUILD,
    FOLDER,
    MANIFEST_FILE,
    ORIGINALS,
    Credit,
    Derivative,
    Derivatives,
    dump,
)
from arena.images.originals import FORMATS as SUFFIXES
from arena.images.originals import Refused, header_size
from arena.images.reading import Reading, read_manifest
from arena.roster.types import Fault, Picture

_METADATA = {
    "exif": "EXIF",
    "xmp": "XMP",
    "icc_profile": "a colour profile",
    "comment": "a comment",
}


class _Unreadable(Exception):
    """A file that is not there, or is no regular file; says why."""


def check(root: Path, records: Mapping[str, Picture | None]) -> tuple[Fault, ...]:
    """Find everything that is not as the build left it.

    Parameters
    ----------
    root : folder that holds ``images/``.
    records : the roster's slugs, each with its record of the picture; None where that record is
        itself at fault, so that nothing can be compared with it.

    Returns
    -------
    The faults: of the manifest, of each entry in the order of their slugs, of the folders.
    """
    reading = read_manifest(root)
    pictures = reading.manifest.pictures
    faults = [*reading.faults, *_manifest(reading, records)]
    with_originals = (root / ORIGINALS).is_dir()
    for slug, picture in sorted(pictures.items()):
        faults += _entry(root, slug, picture, records.get(slug))
        if with_originals:
            faults += _original(root, slug, picture)
    faults += _strays(root, set(records).union(reading.slugs or ()), pictures)
    return tuple(faults)


def _manifest(reading: Reading, slugs: Collection[str]) -> Iterator[Fault]:
    """Find what is missing or too much in a manifest, as far as it can be read."""
    if not reading.faults and reading.text != dump(reading.manifest):
        yield Fault(MANIFEST_FILE, "file", f"is not as the build writes it; {BUILD}")
    if reading.slugs is not None:
        for slug in sorted(set(slugs) - reading.slugs):
            yield Fault(MANIFEST_FILE, slug, f"missing; {BUILD}")
        for slug in sorted(reading.slugs - set(slugs)):
            yield Fault(MANIFEST_FILE, slug, f"is not on the roster; {BUILD}")


def _entry(root: Path, slug: str, picture: Derivatives, record: Picture | None) -> Iterator[Fault]:
    if picture.encoder != FINGERPRINT:
        yield Fault(MANIFEST_FILE, f"{slug}.encoder", f"built with other settings; {BUILD}")
    if record is not None:
        said = asdict(Credit.of(record))
        for key, value in asdict(picture.credit).items():
            if value != said[key]:
                message = f"is {value!r}, the entry's [picture] says {said[key]!r}; {BUILD}"
                yield Fault(MANIFEST_FILE, f"{slug}.{key}", message)
    for file in picture.files:
        yield from _derivative(root, file)


def _derivative(root: Path, file: Derivative) -> Iterator[Fault]:
    name = f"{FOLDER}/{file.file}"
    try:
        data = _content(root / name)
    except _Unreadable as error:
        yield Fault(name, "file", str(error))
        return
    yield from _differing(name, "bytes", len(data), file.bytes)
    yield from _differing(name, "sha256", hashlib.sha256(data).hexdigest(), file.sha256)
    try:
        image = Image.open(BytesIO(data), formats=[file.format.upper()])
    except (OSError, ValueError, SyntaxError):
        yield Fault(name, "format", f"its content is not {file.format}, or is broken")
        return
    yield from _differing(name, "width", image.width, file.width)
    yield from _differing(name, "height", image.height, file.height)
    for key, words in _METADATA.items():
        if image.info.get(key):
            yield Fault(name, "metadata", f"holds {words}; {BUILD}")


def _original(root: Path, slug: str, picture: Derivatives) -> Iterator[Fault]:
    original = picture.original
    name = f"{ORIGINALS}/{original.file}"
    file_format = SUFFIXES.get(Path(original.file).suffix.lower())
    if file_format is None or Path(original.file).stem != slug or "/" in original.file:
        message = f"{original.file!r} cannot be the original of {slug}"
        yield Fault(MANIFEST_FILE, f"{slug}.original.file", message)
        return
    try:
        data = _content(root / name)
    except _Unreadable as error:
        yield Fault(name, "file", str(error))
        return
    digest = hashlib.sha256(data).hexdigest()
    if digest != original.sha256:
        yield from _differing(name, "sha256", digest, original.sha256)
        return
    try:
        width, height = header_size(data, file_format)
    except Refused as refused:
        yield Fault(name, "file", str(refused))
        return
    yield from _differing(name, "width", width, original.width)
    yield from _differing(name, "height", height, original.height)


def _differing(file: str, field: str, found: object, recorded: object) -> Iterator[Fault]:
    if found != recorded:
        yield Fault(file, field, f"is {found}, the manifest says {recorded}; {BUILD}")


def _content(path: Path) -> bytes:
    """Read a regular file: a link may lead out of the site, and a pipe would never end."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise _Unreadable("is no regular file")
        return path.read_bytes()
    except FileNotFoundError:
        raise _Unreadable(f"missing; {BUILD}") from None
    except OSError as error:
        raise _Unreadable(f"cannot be read: {error.strerror}") from error


def _strays(
    root: Path, slugs: Collection[str], pictures: Mapping[str, Derivatives]
) -> Iterator[Fault]:
    """Find files that no page would ever show; hidden ones are the editor's or git's."""
    known = {Path(MANIFEST_FILE).name, Path(ORIGINALS).name} | {
        file_name(slug, slot, file_format)
        for slug in slugs
        for slot in SLOTS
        for file_format in FORMATS
    }
    for name in _visible(root / FOLDER):
        if name not in known:
            yield Fault(f"{FOLDER}/{name}", "file", "is in no record; delete it")
    originals = {picture.original.file for picture in pictures.values()}
    for name in _visible(root / ORIGINALS):
        if name not in originals and (Path(name).stem in pictures or Path(name).stem not in slugs):
            yield Fault(f"{ORIGINALS}/{name}", "file", "is no entry's original; delete it")


def _visible(folder: Path) -> list[str]:
    if not folder.is_dir():
        return []
    return sorted(name for name in os.listdir(folder) if not name.startswith("."))
