"""The check finds everything that is not as the build left it."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from gallery import Gallery, opened, painted, record, saved
from PIL import Image, ImageCms

from arena.images import check

Tamper = Callable[[Gallery], object]

MANIFEST = "images/manifest.json"
WEBP = "images/rice-480.webp"
CURE = "run `arena images build --from images/originals`"


def faults(gallery: Gallery) -> list[str]:
    return [str(fault) for fault in check(gallery.root, gallery.records)]


def record_of(change: Callable[[Any], object]) -> Tamper:
    """A change of one entry's record."""
    return lambda gallery: gallery.rewrite(lambda whole: change(whole["pictures"]["rice"]))


def file_of(change: Callable[[Any], object]) -> Tamper:
    """A change of the record of WEBP, the second file."""
    return record_of(lambda rice: change(rice["derivatives"][1]))


def swap(name: str, data: bytes) -> Tamper:
    return lambda gallery: gallery.derivative(name).write_bytes(data)


def agreeing(**options: Any) -> Tamper:
    """Other bytes for WEBP whose size and hash the manifest agrees with."""

    def tamper(gallery: Gallery) -> None:
        path = gallery.derivative("rice-480.webp")
        data = saved(opened(path.read_bytes()), **options)
        path.write_bytes(data)
        digest = hashlib.sha256(data).hexdigest()
        file_of(lambda file: file.update(bytes=len(data), sha256=digest))(gallery)

    return tamper


def link(gallery: Gallery) -> None:
    path = gallery.derivative("rice-480.webp")
    path.rename(gallery.root / "outside.webp")
    path.symlink_to(gallery.root / "outside.webp")


def with_exif() -> Image.Exif:
    exif = Image.Exif()
    exif[0x013B] = "A. Cook"
    return exif


PROFILE = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()

# what was done: how, and the starts of the faults that must be found
TAMPERED: dict[str, tuple[Tamper, tuple[str, ...]]] = {
    "manifest gone": (
        lambda g: g.manifest.unlink(),
        tuple(f"{MANIFEST}: {field}: missing; {CURE}" for field in ("file", "rice", "trifle")),
    ),
    "manifest no JSON": (
        lambda g: g.manifest.write_text("{"),
        (f"{MANIFEST}: file: broken JSON: ",),
    ),
    "manifest no UTF-8": (
        lambda g: g.manifest.write_bytes(b"\xff"),
        (f"{MANIFEST}: file: broken JSON: ",),
    ),
    "manifest a list": (
        lambda g: g.manifest.write_text("[]"),
        (f"{MANIFEST}: file: must be an object",),
    ),
    "manifest of the future": (
        lambda g: g.rewrite(lambda whole: whole.update(format=2)),
        (f"{MANIFEST}: format: 2 is unknown",),
    ),
    "manifest of other settings": (
        lambda g: g.rewrite(lambda whole: whole["encoder"].update(stage="#ffffff")),
        (f"{MANIFEST}: file: is not as the build writes it",),
    ),
    "manifest laid out anew": (
        lambda g: g.manifest.write_text(g.manifest.read_text() + "\n"),
        (f"{MANIFEST}: file: is not as the build writes it",),
    ),
    "unknown key": (
        record_of(lambda rice: rice.update(colour="red")),
        (f"{MANIFEST}: file: is not as the build writes it",),
    ),
    "no record": (
        lambda g: g.rewrite(lambda whole: whole["pictures"].pop("rice")),
        (f"{MANIFEST}: rice: missing; {CURE}",),
    ),
    "record of nobody": (
        lambda g: g.records.pop("rice"),
        (f"{MANIFEST}: rice: is not on the roster",),
    ),
    "record no object": (
        lambda g: g.rewrite(lambda whole: whole["pictures"].update(rice=[])),
        (f"{MANIFEST}: rice: must be an object",),
    ),
    "record without owner": (
        record_of(lambda rice: rice.pop("owner")),
        (f"{MANIFEST}: rice.owner: missing",),
    ),
    "record of other settings": (
        record_of(lambda rice: rice.update(encoder="older")),
        (f"{MANIFEST}: rice.encoder: built with other settings",),
    ),
    "another owner": (
        lambda g: g.records.update(rice=record(owner="Somebody else")),
        (f"{MANIFEST}: rice.owner: is \"The puddings' own kitchen\", the entry's [picture] says",),
    ),
    "another licence": (
        lambda g: g.records.update(rice=replace(record(), licence="CC-BY-4.0")),
        (f"{MANIFEST}: rice.licence: is 'CC0-1.0', the entry's [picture] says 'CC-BY-4.0'",),
    ),
    "three files": (
        record_of(lambda rice: rice["derivatives"].pop()),
        (f"{MANIFEST}: rice.derivatives: holds 3 files, not 4",),
    ),
    "file of another name": (
        file_of(lambda file: file.update(file="../../secret.webp")),
        (f"{MANIFEST}: rice.derivatives[1].file: is '../../secret.webp', not 'rice-480.webp'",),
    ),
    "file of another format": (
        file_of(lambda file: file.update(format="avif")),
        (f"{MANIFEST}: rice.derivatives[1].format: is 'avif', not 'webp'",),
    ),
    "hash no hash": (
        file_of(lambda file: file.update(sha256="none")),
        (f"{MANIFEST}: rice.derivatives[1].sha256: 'none' is no SHA-256",),
    ),
    "width as a text": (
        file_of(lambda file: file.update(width="480")),
        (f"{MANIFEST}: rice.derivatives[1].width: must be a whole number",),
    ),
    "width of nothing": (
        file_of(lambda file: file.update(width=0)),
        (f"{MANIFEST}: rice.derivatives[1].width: 0 is not positive",),
    ),
    "other hash": (
        file_of(lambda file: file.update(sha256="0" * 64)),
        (f"{WEBP}: sha256: is ",),
    ),
    "other width": (
        file_of(lambda file: file.update(width=479)),
        (f"{WEBP}: width: is 480, the manifest says 479",),
    ),
    "other height": (
        file_of(lambda file: file.update(height=1)),
        (f"{WEBP}: height: is 360, the manifest says 1",),
    ),
    "other size": (file_of(lambda file: file.update(bytes=1)), (f"{WEBP}: bytes: is ",)),
    "file gone": (
        lambda g: g.derivative("rice-480.webp").unlink(),
        (f"{WEBP}: file: missing; {CURE}",),
    ),
    "file a link": (link, (f"{WEBP}: file: is no regular file",)),
    "file spoilt": (
        swap("rice-480.webp", b"spoilt"),
        (f"{WEBP}: bytes: ", f"{WEBP}: sha256: ", f"{WEBP}: format: its content is not webp"),
    ),
    "another format inside": (
        agreeing(file_format="AVIF"),
        (f"{WEBP}: format: its content is not webp",),
    ),
    "EXIF left": (
        agreeing(file_format="WEBP", exif=with_exif()),
        (f"{WEBP}: metadata: holds EXIF",),
    ),
    "XMP left": (
        agreeing(file_format="WEBP", xmp=b"<x/>"),
        (f"{WEBP}: metadata: holds XMP",),
    ),
    "profile left": (
        agreeing(file_format="WEBP", icc_profile=PROFILE),
        (f"{WEBP}: metadata: holds a colour profile",),
    ),
    "original gone": (
        lambda g: (g.originals / "rice.png").unlink(),
        ("images/originals/rice.png: file: missing",),
    ),
    "original changed": (
        lambda g: g.put("rice.png", saved(painted(10, 10), "PNG")),
        ("images/originals/rice.png: sha256: is ",),
    ),
    "original of another size": (
        record_of(lambda rice: rice["original"].update(width=7)),
        ("images/originals/rice.png: width: is 1200, the manifest says 7",),
    ),
    "original elsewhere": (
        record_of(lambda rice: rice["original"].update(file="../rice.png")),
        (
            f"{MANIFEST}: rice.original.file: '../rice.png' cannot be the original of rice",
            "images/originals/rice.png: file: is no entry's original",
        ),
    ),
    "second original": (
        lambda g: g.put("rice.webp", b""),
        ("images/originals/rice.webp: file: is no entry's original; delete it",),
    ),
    "original of nobody": (
        lambda g: g.put("flan.png", b""),
        ("images/originals/flan.png: file: is no entry's original; delete it",),
    ),
    "stray file": (
        swap("rice-480.avif.part", b"half"),
        ("images/rice-480.avif.part: file: is in no record; delete it",),
    ),
    "stray folder": (
        lambda g: g.derivative("old").mkdir(),
        ("images/old: file: is in no record; delete it",),
    ),
}


def test_nothing_is_found_where_all_is_in_order(built: Gallery) -> None:
    assert faults(built) == []


@pytest.mark.parametrize(("tamper", "wanted"), TAMPERED.values(), ids=TAMPERED)
def test_tampering_is_found_and_named(
    built: Gallery, tamper: Tamper, wanted: tuple[str, ...]
) -> None:
    tamper(built)
    found = faults(built)
    assert [line[: len(start)] for line, start in zip(found, wanted, strict=True)] == list(wanted)


def test_without_a_folder_of_originals_they_are_not_missed(built: Gallery) -> None:
    shutil.rmtree(built.originals)
    assert faults(built) == []


def test_a_record_that_is_at_fault_itself_is_not_compared(built: Gallery) -> None:
    assert check(built.root, {"rice": None, "trifle": None}) == ()


def test_hidden_files_are_passed_over(built: Gallery) -> None:
    built.derivative(".gitattributes").touch()
    assert faults(built) == []


def test_an_entry_that_waits_for_its_build_is_one_fault(
    built: Gallery,
) -> None:
    built.records["flan"] = record()
    built.put("flan.png", saved(painted(10, 10), "PNG"))
    assert faults(built) == [f"{MANIFEST}: flan: missing; {CURE}"]
