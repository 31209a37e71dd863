"""api_report()."""

import json

import pytest
from conftest import tool_document

import opdebug

CLEAN = {"type": "torch.Tensor", "dtype": "torch.float16", "shape": [2, 4], "Max": 1.5, "Min": -1.5, "Mean": 0.0, "Norm": 2.0}
BAD = dict(CLEAN, Max=float("nan"), Min=float("nan"))


@pytest.fixture
def dump(tmp_path):
    """Two calls that make NaN, in step 2 of rank 7."""
    folder = tmp_path / "step2/rank7"
    folder.mkdir(parents=True)
    call = {"input_args": [CLEAN], "input_kwargs": {}, "output": [BAD]}
    data = {"Functional.linear.0.forward": call, "Functional.linear.1.forward": call}
    (folder / "dump.json").write_text(json.dumps({"task": "statistics", "level": "L1", "framework": "pytorch", "data": data}))
    return tmp_path


def test_the_document_is_the_programs(dump):
    report = opdebug.api_report(dump)
    assert report == tool_document("api", dump, "--format", "json")
    (first,) = report["first"]
    assert (first["api"], first["step"], first["rank"], first["verdict"]) == ("Functional.linear.0.forward", 2, 7, "born_here")
    assert first["tensors"][-1]["max"] == "nan"  # after the inputs


def test_options(dump):
    assert len(opdebug.api_report([dump], threads=2)["findings"]) == 2
    assert len(opdebug.api_report(dump, findings_per_verdict=1)["findings"]) == 1
    (failure,) = opdebug.api_report(dump, limits={"call_bytes": 10})["failures"]
    assert failure["code"] == "call_too_large"


def test_what_is_refused(dump, tmp_path):
    with pytest.raises(opdebug.Error) as caught:
        opdebug.api_report(tmp_path / "absent")
    assert (caught.value.code, caught.value.file) == ("file_not_found", str(tmp_path / "absent"))
    for options in ({"findings_per_verdict": 0}, {"threads": 1025}, {"limits": {"unknown": 1}}):
        with pytest.raises(opdebug.Error, match=next(iter(options))) as caught:
            opdebug.api_report(dump, **options)
        assert caught.value.code == "invalid_argument"


def test_what_could_not_be_read_is_in_the_document(dump, tmp_path):
    report = opdebug.api_report([dump, tmp_path / "absent"])
    assert [failure["code"] for failure in report["failures"]] == ["file_not_found"]
    assert len(report["first"]) == 1
    (tmp_path / "nothing").mkdir()
    assert opdebug.api_report(tmp_path / "nothing")["counts"]["files"] == 0
