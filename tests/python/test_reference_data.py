"""Every dump of the reference data, and its logs, equal the program's documents."""

import json
import os
import pathlib

import pytest
from conftest import run_tool

import opdebug

REFERENCE = pathlib.Path(os.environ["OPDEBUG_REFERENCE_DATA"])
DUMPS = sorted(REFERENCE / "dumps" / entry["path"] for entry in json.loads((REFERENCE / "dumps/manifest.json").read_text()))


def test_every_dump():
    expected = {}
    for line in run_tool("decode", "--format", "jsonl", "--tensors", *DUMPS).stdout.splitlines():
        document = json.loads(line)
        expected[document["file"]] = document
    assert len(expected) == len(set(DUMPS)) > 10
    decoded = 0
    for dump in DUMPS:
        document = expected[str(dump)]
        try:
            assert opdebug.decode(dump, tensors=True) == document
            decoded += 1
        except opdebug.Error as error:
            assert document["container"] is None
            assert error.code == document["diagnostics"][0]["code"]
    assert decoded > 10


@pytest.mark.parametrize("options, arguments", [({}, []), ({"logs": REFERENCE / "logs"}, ["--logs", REFERENCE / "logs"])])
@pytest.mark.filterwarnings("ignore::opdebug.LogsWarning")
def test_the_scan(options, arguments):
    expected = json.loads(run_tool("scan", "--format", "json", REFERENCE / "dumps", *arguments).stdout)
    assert opdebug.scan(REFERENCE / "dumps", **options) == expected
    assert len(opdebug.find(REFERENCE / "dumps")) == expected["counts"]["dumps"]
    found = run_tool("scan", "--format", "jsonl", REFERENCE / "dumps", *arguments).stdout.splitlines()
    assert found
