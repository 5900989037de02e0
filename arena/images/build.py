"""Make the files that pages show from originals, all four of an entry or none.

An original at fault is reported and its entry keeps the files and the record that it had; every
other entry is built. The manifest is written after the files that it speaks of.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from arena.images.encoder import FINGERPRINT, Encoded, encode, file_name
from arena.images.manifest import (
    FOLDER,
    MANIFEST_FILE,
    Credit,
    Derivative,
    Derivatives,
    Manifest,
    Original,
    dump,
)
from arena.images.originals import FORMATS as SUFFIXES
from arena.images.originals import Refused, read
from arena.images.reading import load_manifest
from arena.roster.texts import bad_slug
from arena.roster.types import Fault, Picture, RosterFaults

UNFINISHED = ".part"


@dataclass(frozen=True, slots=True)
class Built:
    """What a build did.

    Attributes
    ----------
    made : slugs whose files were written.
    kept : slugs whose files were up to date.
    removed : slugs that left the roster, whose files were deleted.
    faults : what was refused.
    """

    made: tuple[str, ...]
    kept: tuple[str, ...]
    removed: tuple[str, ...]
    faults: tuple[Fault, ...]


def build(
    originals: Path,
    root: Path,
    records: Mapping[str, Picture],
    only: Collection[str] = (),
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Built:
    """Build the files of all originals in a folder, or of some.

    Parameters
    ----------
    originals : folder of PNG, JPEG and WebP files, each named after its entry.
    root : folder that holds ``images/``.
    records : the roster's slugs, each with its record of the picture.
    only : slugs to build; all where empty. Files of entries that left the roster are deleted
        where it is empty.
    progress : told how many originals of how many are done.

    Raises
    ------
    RosterFaults
        The manifest that is there cannot be read, or nothing can be written.
    """
    pictures = _before(root)
    removed = () if only else tuple(sorted(set(pictures) - set(records)))
    for slug in removed:
        _delete(root, pictures.pop(slug))
    found, faults = survey(originals, root, records, only)
    made, kept = [], []
    progress(0, len(found))
    for done, (slug, path) in enumerate(sorted(found.items()), start=1):
        try:
            data = _content(path)
            if _is_current(root, path, data, pictures.get(slug)):
                kept.append(slug)
                pictures[slug] = replace(pictures[slug], credit=Credit.of(records[slug]))
            else:
                pictures[slug] = _make(slug, path, data, root, records[slug])
                made.append(slug)
        except Refused as refused:
            faults.append(Fault(_named(path, root), "file", str(refused)))
        else:
            _write_manifest(root, pictures)
        progress(done, len(found))
    _write_manifest(root, pictures)
    return Built(tuple(made), tuple(kept), removed, tuple(sorted(faults, key=str)))


def survey(
    originals: Path, root: Path, records: Collection[str], only: Collection[str] = ()
) -> tuple[dict[str, Path], list[Fault]]:
    """Find the originals in a folder by their slugs, and what in it cannot be one."""
    faults = []
    try:
        names = sorted(name for name in os.listdir(originals) if not name.startswith("."))
    except OSError as error:
        return {}, [Fault(_named(originals, root), "folder", _cannot("read", error))]
    by_stem: dict[str, list[str]] = {}
    for name in names:
        by_stem.setdefault(Path(name).stem, []).append(name)
    for slug in sorted(set(only) - set(by_stem)):
        faults.append(Fault(_named(originals / slug, root), "file", "there is no such original"))
    found = {}
    for stem, namesakes in by_stem.items():
        if only and stem not in only:
            continue
        for name in namesakes:
            path = originals / name
            complaint = _complaint(path, namesakes, records)
            if complaint is None:
                found[stem] = path
            else:
                faults.append(Fault(_named(path, root), "file", complaint))
    return found, faults


def _complaint(path: Path, namesakes: list[str], records: Collection[str]) -> str | None:
    """Say why a file cannot be an entry's original; None where it may be."""
    if path.suffix.lower() not in SUFFIXES:
        return f"is no original; they are named SLUG with {', '.join(SUFFIXES)}"
    if not path.is_file():
        return "is no file"
    if (complaint := bad_slug(path.stem)) is not None:
        return complaint
    if path.stem not in records:
        return f"no entry of the roster has the slug {path.stem}"
    if len(namesakes) > 1:
        return f"one original an entry is wanted, there are {' and '.join(namesakes)}"
    return None


def _before(root: Path) -> dict[str, Derivatives]:
    """What the manifest holds so far; nothing before the first build."""
    if not (root / MANIFEST_FILE).exists():
        return {}
    return dict(load_manifest(root).pictures)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise Refused(_cannot("read", error)) from error


def _is_current(root: Path, path: Path, data: bytes, before: Derivatives | None) -> bool:
    """Whether the files were made from this original with these settings and are still whole."""
    return (
        before is not None
        and before.encoder == FINGERPRINT
        and before.original.file == path.name
        and before.original.sha256 == _sha256(data)
        and all(_is_whole(root / FOLDER / file.file, file) for file in before.files)
    )


def _is_whole(path: Path, file: Derivative) -> bool:
    return path.is_file() and _sha256(path.read_bytes()) == file.sha256


def _make(slug: str, path: Path, data: bytes, root: Path, record: Picture) -> Derivatives:
    """Decode, compress, and only then write.

    Raises
    ------
    Refused
    """
    raster = read(data, SUFFIXES[path.suffix.lower()])
    encoded = encode(raster.pixels)
    files = tuple(_recorded(slug, item) for item in encoded)
    _replace(root, {file.file: item.data for file, item in zip(files, encoded, strict=True)})
    original = Original(path.name, _sha256(data), raster.width, raster.height)
    return Derivatives(original, Credit.of(record), FINGERPRINT, files)


def _recorded(slug: str, item: Encoded) -> Derivative:
    return Derivative(
        file=file_name(slug, item.slot, item.format),
        format=item.format,
        slot=item.slot,
        width=item.width,
        height=item.height,
        bytes=len(item.data),
        sha256=_sha256(item.data),
    )


def _write_manifest(root: Path, pictures: Mapping[str, Derivatives]) -> None:
    data = dump(Manifest(pictures)).encode()
    path = root / MANIFEST_FILE
    if not path.exists() or path.read_bytes() != data:
        _replace(root, {path.name: data})


def _replace(root: Path, contents: Mapping[str, bytes]) -> None:
    """Write all files beside the old ones, and rename when the last is whole.

    Raises
    ------
    RosterFaults
        The folder takes no files.
    """
    folder = root / FOLDER
    drafts = {folder / f"{name}{UNFINISHED}": folder / name for name in contents}
    try:
        folder.mkdir(exist_ok=True)
        for draft, path in drafts.items():
            draft.write_bytes(contents[path.name])
        for draft, path in drafts.items():
            draft.replace(path)
    except OSError as error:
        for draft in drafts:
            with contextlib.suppress(OSError):
                draft.unlink(missing_ok=True)
        raise RosterFaults((Fault(FOLDER, "folder", _cannot("written", error)),)) from error


def _delete(root: Path, picture: Derivatives) -> None:
    for file in picture.files:
        (root / FOLDER / file.file).unlink(missing_ok=True)


def _named(path: Path, root: Path) -> str:
    """Name a file from the site's folder where it lies inside, else as it was given."""
    return (path.relative_to(root) if path.is_relative_to(root) else path).as_posix()


def _cannot(what: str, error: OSError) -> str:
    return f"cannot be {what}: {error.strerror}"


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
