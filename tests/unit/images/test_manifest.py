"""What pages read of the manifest: addresses, sizes, and which file belongs to whom."""

from __future__ import annotations

import json
import re

import pytest
from gallery import Gallery

from arena.images import load_manifest
from arena.roster import RosterFaults


def test_a_srcset_names_each_width_with_its_address(built: Gallery) -> None:
    picture = load_manifest(built.root).pictures["rice"]
    assert re.fullmatch(
        r"/images/rice-480\.avif\?v=[0-9a-f]{12} 480w, /images/rice-960\.avif\?v=[0-9a-f]{12} 960w",
        picture.srcset("avif"),
    )


def test_a_srcset_names_equal_widths_once(built: Gallery) -> None:
    picture = load_manifest(built.root).pictures["trifle"]
    assert re.fullmatch(r"/images/trifle-480\.webp\?v=[0-9a-f]{12} 320w", picture.srcset("webp"))


def test_an_address_carries_the_start_of_the_hash(built: Gallery) -> None:
    file = load_manifest(built.root).pictures["rice"].files[0]
    assert file.address == f"/images/rice-480.avif?v={file.sha256[:12]}"


def test_the_fallback_is_the_small_webp(built: Gallery) -> None:
    assert load_manifest(built.root).pictures["rice"].fallback.file == "rice-480.webp"


@pytest.mark.parametrize(("slug", "size"), [("rice", (960, 720)), ("trifle", (320, 240))])
def test_the_size_is_that_of_the_largest_file(
    built: Gallery, slug: str, size: tuple[int, int]
) -> None:
    picture = load_manifest(built.root).pictures[slug]
    assert (picture.width, picture.height) == size


def test_a_file_is_found_by_its_name(built: Gallery) -> None:
    manifest = load_manifest(built.root)
    assert manifest.file("rice-960.avif") == ("rice", manifest.pictures["rice"].files[2])


@pytest.mark.parametrize("name", ["rice-320.avif", "manifest.json", "originals/rice.png", ""])
def test_no_other_file_is_found(built: Gallery, name: str) -> None:
    assert load_manifest(built.root).file(name) is None


def test_an_entry_without_pictures_has_none(built: Gallery) -> None:
    assert load_manifest(built.root).picture("flan") is None


def test_it_reads_well_in_a_review(built: Gallery) -> None:
    text = built.manifest.read_text(encoding="utf-8")
    whole = json.loads(text)
    assert text == json.dumps(whole, sort_keys=True, indent=1, ensure_ascii=False) + "\n"


def test_it_holds_the_record_of_each_picture(built: Gallery) -> None:
    record = json.loads(built.manifest.read_text(encoding="utf-8"))["pictures"]["rice"]
    credit = ("source_url", "source_name", "owner", "licence", "rights")
    assert {key: record[key] for key in credit} == {
        key: getattr(built.records["rice"], key) for key in credit
    }


def test_a_missing_manifest_is_a_fault_with_its_cure(gallery: Gallery) -> None:
    with pytest.raises(RosterFaults) as raised:
        load_manifest(gallery.root)
    assert str(raised.value) == (
        "images/manifest.json: file: missing; run `arena images build --from images/originals`"
    )


def test_files_of_older_settings_are_still_served(built: Gallery) -> None:
    built.rewrite(lambda whole: whole["encoder"].update(stage="#ffffff"))
    assert load_manifest(built.root).picture("rice") is not None
