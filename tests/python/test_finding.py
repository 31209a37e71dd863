"""find()."""

import os
import shutil
import warnings

import pytest
from conftest import DUMP, LOGS

import opdebug


def test_what_a_scan_reads_in_its_order(tree):
    # Another writer's spelling, a link to a dump that is there anyway, a name that is nearly one, an operator's dump.
    folder = next(tree.rglob("3/12"))
    shutil.copy(DUMP, folder / "OpDebug.node_opdebug.7.3.1791769287318460")
    (folder / "Opdebug.Node_OpDebug.9.9.1791769287318461").symlink_to(next(tree.rglob("Opdebug.*")))
    (folder / "Opdebug.notes").write_text("no dump")
    (folder / "MatMul.net_mul.118.21.1791769287318400").write_bytes(b"")
    found = opdebug.find(tree)
    expected = [path for path in tree.rglob("*") if path.name.lower().startswith("opdebug.node_opdebug.") and not path.is_symlink()]
    assert found == sorted(str(path) for path in expected)
    assert len(found) == 7
    report = opdebug.scan(tree, all=True)
    files = [record["file"] for record in report["timeline"]] + [failure["file"] for failure in report["failures"]]
    assert sorted(files) == found


def test_names_of_any_bytes_can_be_opened(tmp_path):
    folder = os.path.join(os.fsencode(tmp_path), b"\xff\n\xc3\xa4")
    os.mkdir(folder)
    odd = os.path.join(folder, os.fsencode(DUMP.name))
    shutil.copy(DUMP, odd)
    for given in (folder, os.fsdecode(folder), [tmp_path]):
        (found,) = opdebug.find(given)
        assert os.fsencode(found) == odd
        assert opdebug.decode(found, logs=LOGS)["operator"] == opdebug.decode(DUMP, logs=LOGS)["operator"]


def test_no_path(tmp_path):
    with pytest.raises(opdebug.Error) as caught:
        opdebug.find(tmp_path / "missing")
    assert (caught.value.code, caught.value.file) == ("file_not_found", str(tmp_path / "missing"))
    for paths, words in [([], "no path was given"), ("", "path is empty"), ([tmp_path, b""], "path is empty")]:
        with pytest.raises(opdebug.Error, match=words) as caught:
            opdebug.find(paths)
        assert caught.value.code == "invalid_argument"


def test_limits_are_those_of_a_scan(tmp_path):
    deep = tmp_path / "a/b/c"
    deep.mkdir(parents=True)
    for folder in (deep, deep.parent):
        shutil.copy(DUMP, folder)
    assert opdebug.find(tmp_path, limits={"folder_depth": 3}) == [str(deep.parent / DUMP.name), str(deep / DUMP.name)]
    with pytest.warns(opdebug.ScanWarning, match="folder_depth"):
        assert opdebug.find(tmp_path, limits={"folder_depth": 2}) == [str(deep.parent / DUMP.name)]
    with pytest.raises(opdebug.Error, match="folder_deep") as caught:
        opdebug.find(tmp_path, limits={"folder_deep": 2})
    assert caught.value.code == "invalid_argument"


def test_what_could_not_be_read_becomes_warnings(tree, tmp_path):
    paths = [tree, tmp_path / "missing"]
    with pytest.warns(opdebug.ScanWarning) as caught:
        found = opdebug.find(paths)
    assert len(found) == 6
    assert [(warning.filename, str(warning.message).split(": ")[0]) for warning in caught] == [(__file__, str(paths[1]))]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        opdebug.find(tree)
