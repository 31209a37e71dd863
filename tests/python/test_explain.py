"""explain()."""

import pytest
from conftest import DUMP, LOGS, run_tool

import opdebug


def text_of_tool(*arguments):
    return run_tool("decode", "--format", "text", DUMP, *arguments).stdout.decode()


@pytest.mark.parametrize(
    "options, arguments",
    [
        ({}, []),
        ({"logs": LOGS}, ["--logs", LOGS]),
        ({"logs": LOGS, "utc_offset_minutes": 480, "verbose": True}, ["--logs", LOGS, "--utc-offset", "+08:00", "-v"]),
        ({"language": "zh", "tensors": True}, ["--lang", "zh", "--tensors"]),
    ],
)
def test_the_text_is_the_programs(options, arguments):
    text = opdebug.explain(DUMP, **options)
    assert text == text_of_tool(*arguments)
    assert text.endswith("\n")


def test_the_operator_is_in_the_text():
    logs = opdebug.read_logs(LOGS)
    assert "bert/encoder/layer_3/attention/softmax/Exp" in opdebug.explain(str(DUMP), logs=logs)


def test_mistakes_are_told(tmp_path):
    with pytest.raises(opdebug.Error) as caught:
        opdebug.explain(tmp_path / "missing")
    assert caught.value.code == "file_not_found"
    with pytest.raises(TypeError, match="path of a dump, not bytes"):
        opdebug.explain(DUMP.read_bytes())
    with pytest.raises(opdebug.Error, match="verbose"):
        opdebug.explain(DUMP, verbose=2)
