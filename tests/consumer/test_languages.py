"""One dump, three languages: the same text and document; and each language's natural error for what cannot be decoded."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from conftest import DEMO, SOURCE, demo_dump, run_in

EXPLAIN = {"C++": ["cpp/build/explain"], "subproject": ["subproject/build/explain"], "C": ["c/explain"],
           "Python": ["python3", "python/explain.py"]}
RECORD = {"C++": ["cpp/record"], "Python": ["python3", "python/record.py"]}
STATUS = {"C++": ["cpp/status"], "C": ["c/status"], "Python": ["python3", "python/status.py"]}


def program(consumers, language, programs, *arguments):
    environment = {**consumers.environment, "PYTHONPATH": str(consumers.prefix / "lib/python3/dist-packages"), "TZ": "Asia/Shanghai"}
    return run_in(consumers.folder, environment, [*programs[language], *map(str, arguments)])


def dumps():
    """The demonstration's dump and, where there is reference data, a dump of each of its folders."""
    found = [demo_dump()]
    reference = os.environ.get("OPDEBUG_REFERENCE_DATA")
    if reference:
        folders = {path.parent: path for path in sorted(Path(reference, "dumps").rglob("Opdebug.Node_OpDebug*")) if path.is_file()}
        found += folders.values()
    return found


def decoded_by_the_tool(consumers, *arguments):
    run = run_in(consumers.folder, {**consumers.environment, "TZ": "Asia/Shanghai"},
                 [str(consumers.prefix / "bin/opdebug"), "decode", "--lang", "en", *map(str, arguments)])
    return run


@pytest.mark.parametrize("language", EXPLAIN)
def test_the_text_is_the_tools(consumers, language):
    expected = decoded_by_the_tool(consumers, demo_dump(), "--logs", DEMO / "logs", "--format", "text")
    run = program(consumers, language, EXPLAIN, demo_dump(), DEMO / "logs")
    assert run.stdout == expected.stdout
    assert "softmax/Exp" in run.stdout


@pytest.mark.parametrize("language", RECORD)
def test_the_document_is_the_tools(consumers, language):
    compared = 0
    for dump in dumps():
        expected = decoded_by_the_tool(consumers, dump, "--logs", DEMO / "logs")
        if "\"schema\"" not in expected.stdout or json.loads(expected.stdout)["container"] is None:
            continue  # no dump: test_what_is_no_dump
        run = program(consumers, language, RECORD, dump, DEMO / "logs")
        assert json.loads(run.stdout) == json.loads(expected.stdout), dump
        compared += 1
    assert compared >= 1


@pytest.mark.parametrize("language", EXPLAIN)
def test_a_missing_file(consumers, language):
    run = program(consumers, language, EXPLAIN, "none")
    assert run.returncode == 1 and run.stdout == ""
    assert "none: " in run.stderr and "Traceback" not in run.stderr


@pytest.mark.parametrize("language", EXPLAIN)
def test_a_damaged_dump(consumers, language, tmp_path):
    cut = tmp_path / demo_dump().name
    cut.write_bytes(demo_dump().read_bytes()[:20])
    run = program(consumers, language, EXPLAIN, cut)
    assert run.returncode == 1 and run.stdout == ""
    assert str(cut) in run.stderr and "at byte" in run.stderr and "Traceback" not in run.stderr


@pytest.mark.parametrize("language", STATUS)
def test_a_wrong_table(consumers, language, tmp_path):
    table = tmp_path / "table.json"
    table.write_text("{\"registers\": 7}")
    run = program(consumers, language, STATUS, "0x20", table)
    assert run.returncode == 1 and run.stdout == ""
    assert "table.json" in run.stderr and "Traceback" not in run.stderr


@pytest.mark.parametrize("language", STATUS)
def test_a_right_table(consumers, language):
    run = program(consumers, language, STATUS, "0x20", SOURCE / "lib/data/status/ai_core.json")
    assert run.returncode == 0, run.stderr
    assert "ai_core.float_overflow" in run.stdout
