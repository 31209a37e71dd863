"""scan()."""

import json
import os

import pytest
from conftest import DUMP, LOGS, tool_document

import opdebug


def report_of_tool(*arguments):
    return tool_document("scan", "--format", "json", *arguments)


def files_of(tree):
    return sorted(str(path) for path in tree.rglob("Opdebug.*"))


@pytest.mark.parametrize(
    "options, arguments",
    [
        ({}, []),
        ({"tensors": True}, ["--tensors"]),
        ({"logs": LOGS}, ["--logs", LOGS]),
        ({"all": True, "language": "zh"}, ["--all", "--lang", "zh"]),
        ({"first": 2, "threads": 1}, ["--first", "2"]),
    ],
)
def test_the_report_is_the_programs(tree, options, arguments):
    expected = report_of_tool(tree, *arguments)
    assert expected["counts"]["dumps"] == 6
    assert opdebug.scan(tree, **options) == expected
    assert opdebug.scan([str(tree)], **{**options, "threads": 3}) == expected


def test_traces_tie_as_the_program_does(tree, tmp_path):
    folder = tmp_path / "api/step0/rank0"
    folder.mkdir(parents=True)
    clean = {"type": "torch.Tensor", "dtype": "torch.float16", "shape": [2], "Max": 1.5, "Min": -1.5, "Mean": 0.0, "Norm": 2.0}
    call = {"input_args": [clean], "input_kwargs": {}, "output": [dict(clean, Max=float("nan"))]}
    (folder / "dump.json").write_text(json.dumps({"task": "statistics", "level": "L1", "data": {"Torch.exp.0.forward": call}}))
    trace = folder / "trace_view.json"
    trace.write_text("no trace")
    report = opdebug.scan([tree, folder], traces=trace)
    assert report == report_of_tool(tree, folder, "--trace", trace)
    assert "trace_unread" in [remark["code"] for remark in report["api"]["diagnostics"]]
    assert "trace_unread" not in json.dumps(opdebug.scan([tree, folder], traces=[])["api"])


def test_no_path_is_there(tmp_path):
    with pytest.raises(opdebug.Error) as caught:
        opdebug.scan(tmp_path / "missing")
    assert caught.value.code == "file_not_found"
    assert caught.value.file == str(tmp_path / "missing")
    for paths, words in [([], "no path was given"), ("", "path is empty"), ([tmp_path, ""], "path is empty")]:
        with pytest.raises(opdebug.Error, match=words) as caught:
            opdebug.scan(paths)
        assert caught.value.code == "invalid_argument"
    with pytest.raises(TypeError, match="a path or a list of paths was expected, not NoneType"):
        opdebug.scan(None)
    with pytest.raises(opdebug.Error, match="threads"):
        opdebug.scan(DUMP, threads=-1)


def test_a_path_that_is_not_there_costs_only_itself(tree, tmp_path):
    paths = [tree, tmp_path / "missing"]
    report = opdebug.scan(paths)
    assert report == report_of_tool(*paths)
    # One dump is damaged, by the tree's making, and one path is not there.
    assert [failure["file"] for failure in report["failures"]] == [files_of(tree)[3], str(tmp_path / "missing")]
    assert report["counts"]["dumps"] == 6 and report["counts"]["failed"] == 1


def test_paths_of_any_kind(tmp_path):
    folder = os.path.join(os.fsencode(tmp_path), b"\xff")
    os.mkdir(folder)
    with open(os.path.join(folder, b"Opdebug.Node_OpDebug.118.21.1791769287318452"), "wb") as file:
        file.write(DUMP.read_bytes())
    report = opdebug.scan(os.fsdecode(folder), logs=LOGS)
    assert report["first"]["operator"] == opdebug.decode(DUMP, logs=LOGS)["operator"]
    assert opdebug.scan([folder])["first"]["file"].startswith(str(tmp_path / "\ufffd"))
