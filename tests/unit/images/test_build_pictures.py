"""Building: what is made, what is left alone, and that a failure spoils nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
from gallery import Gallery, painted, record, saved

from arena.images import Built, build, check, load_manifest
from arena.roster import RosterFaults

SMALL = painted(300, 200)


def test_two_slots_in_two_formats_are_made(gallery: Gallery) -> None:
    gallery.put("rice.png", saved(painted(), "PNG"))
    gallery.build()
    assert gallery.contents().keys() == {
        "manifest.json",
        *(f"rice-{slot}.{suffix}" for slot in (480, 960) for suffix in ("avif", "webp")),
    }


def test_a_small_original_is_not_enlarged(gallery: Gallery) -> None:
    gallery.put("rice.png", saved(painted(600, 400), "PNG"))
    gallery.build()
    picture = load_manifest(gallery.root).pictures["rice"]
    sizes = [(file.slot, file.width, file.height) for file in picture.files]
    assert sizes == [(480, 480, 320), (480, 480, 320), (960, 600, 400), (960, 600, 400)]


def test_a_sliver_keeps_a_line_of_pixels(gallery: Gallery) -> None:
    gallery.put("rice.png", saved(painted(4000, 2), "PNG"))
    assert gallery.build().faults == ()
    assert [file.height for file in load_manifest(gallery.root).pictures["rice"].files] == [1] * 4


@pytest.mark.parametrize(
    ("name", "file_format"), [("rice.PNG", "PNG"), ("rice.jpeg", "JPEG"), ("rice.JPG", "JPEG")]
)
def test_a_suffix_may_be_written_in_any_way(gallery: Gallery, name: str, file_format: str) -> None:
    gallery.put(name, saved(SMALL, file_format))
    assert gallery.build().made == ("rice",)


def test_building_again_from_nothing_gives_the_same_bytes(built: Gallery) -> None:
    before = built.contents()
    for name in before:
        built.derivative(name).unlink()
    built.build()
    assert built.contents() == before


def test_the_order_of_building_does_not_change_the_manifest(
    gallery: Gallery, built: Gallery
) -> None:
    before = built.contents()
    for name in before:
        built.derivative(name).unlink()
    built.build("trifle")
    built.build("rice")
    assert built.contents() == before


def test_an_unchanged_original_is_not_built_again(built: Gallery) -> None:
    stamp = built.derivative("rice-960.avif").stat().st_mtime_ns
    assert built.build() == Built((), ("rice", "trifle"), (), ())
    assert built.derivative("rice-960.avif").stat().st_mtime_ns == stamp


def test_a_changed_original_is_built_again(built: Gallery) -> None:
    built.put("rice.png", saved(SMALL, "PNG"))
    assert built.build().made == ("rice",)
    assert check(built.root, built.records) == ()


@pytest.mark.parametrize("damage", [Path.unlink, lambda path: path.write_bytes(b"spoilt")])
def test_a_lost_or_spoilt_file_is_built_again(built: Gallery, damage: object) -> None:
    assert callable(damage)
    damage(built.derivative("rice-480.webp"))
    assert built.build().made == ("rice",)
    assert check(built.root, built.records) == ()


def test_files_of_other_settings_are_built_again(built: Gallery) -> None:
    built.rewrite(lambda whole: whole["pictures"]["rice"].update(encoder="older"))
    assert built.build().made == ("rice",)


def test_a_new_credit_is_recorded_without_building(built: Gallery) -> None:
    built.records["rice"] = record(owner="Somebody else")
    assert built.build() == Built((), ("rice", "trifle"), (), ())
    assert load_manifest(built.root).pictures["rice"].credit.owner == "Somebody else"


def test_building_one_entry_leaves_the_others_alone(built: Gallery) -> None:
    before = built.contents()
    built.put("rice.png", saved(SMALL, "PNG"))
    built.put("trifle.jpg", b"")
    assert built.build("rice") == Built(("rice",), (), (), ())
    after = built.contents()
    assert {name for name in before if before[name] != after[name]} == {
        "manifest.json",
        *(f"rice-{slot}.{suffix}" for slot in (480, 960) for suffix in ("avif", "webp")),
    }


def test_asking_for_one_that_has_no_original_says_so(built: Gallery) -> None:
    faults = built.build("flan").faults
    assert [str(fault) for fault in faults] == [
        "images/originals/flan: file: there is no such original"
    ]


def test_a_failing_original_leaves_all_as_it_was(built: Gallery) -> None:
    before = built.contents()
    built.put("rice.png", saved(SMALL, "PNG")[:90])
    assert len(built.build().faults) == 1
    assert built.contents() == before


def test_a_failing_original_does_not_stop_the_others(built: Gallery) -> None:
    built.put("rice.png", b"")
    built.put("trifle.jpg", saved(SMALL, "JPEG"))
    assert built.build().made == ("trifle",)


def test_pictures_of_an_entry_that_left_are_deleted(built: Gallery) -> None:
    del built.records["rice"]
    (built.originals / "rice.png").unlink()
    assert built.build().removed == ("rice",)
    assert check(built.root, built.records) == ()


def test_building_one_entry_deletes_nothing(built: Gallery) -> None:
    del built.records["rice"]
    assert built.build("trifle").removed == ()
    assert built.derivative("rice-480.avif").exists()


def test_what_an_interrupted_build_left_is_overwritten(built: Gallery) -> None:
    built.derivative("rice-480.avif.part").write_bytes(b"half")
    built.put("rice.png", saved(SMALL, "PNG"))
    built.build()
    assert not built.derivative("rice-480.avif.part").exists()


def test_a_file_that_cannot_be_replaced_stops_the_build_and_leaves_no_draft(
    built: Gallery,
) -> None:
    built.derivative("rice-480.avif").unlink()
    built.derivative("rice-480.avif").mkdir()
    with pytest.raises(RosterFaults, match="images: folder: cannot be written: "):
        built.build()
    assert not list(built.derivative("").glob("*.part"))


def test_a_broken_manifest_stops_the_build(built: Gallery) -> None:
    built.manifest.write_text("<<<<<<< ours\n", encoding="utf-8")
    with pytest.raises(RosterFaults, match=r"images/manifest\.json: file: broken JSON"):
        built.build()


def test_a_missing_folder_of_originals_is_named(built: Gallery) -> None:
    (fault,) = build(built.root / "elsewhere", built.root, built.records).faults
    assert str(fault) == "elsewhere: folder: cannot be read: No such file or directory"


def test_progress_is_told_after_each_original(built: Gallery) -> None:
    steps: list[tuple[int, int]] = []
    build(
        built.originals,
        built.root,
        built.records,
        progress=lambda done, total: steps.append((done, total)),
    )
    assert steps == [(0, 2), (1, 2), (2, 2)]


def test_hidden_files_among_the_originals_are_passed_over(built: Gallery) -> None:
    built.put(".DS_Store", b"left by a system")
    assert built.build().faults == ()


def test_the_original_is_recorded_as_its_header_has_it(built: Gallery) -> None:
    original = load_manifest(built.root).pictures["trifle"].original
    assert (original.file, original.width, original.height) == ("trifle.jpg", 320, 240)
