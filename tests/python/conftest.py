"""What the tests share: the program, the committed dump, made-up trees of dumps."""

import json
import os
import pathlib
import shutil
import struct
import subprocess

import pytest

SOURCE = pathlib.Path(os.environ["OPDEBUG_SOURCE_DIR"])
DEMO = SOURCE / "testdata/demo"
DUMP = DEMO / "20261012093000/0/bert_train/3/12/Opdebug.Node_OpDebug.118.21.1791769287318452"
LOGS = DEMO / "logs"


def run_tool(*arguments, **more):
    """Without the sanitizer that is loaded for the module: the program has its own inside."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    command = [os.environ["OPDEBUG_TOOL"], *map(os.fsencode, arguments)]
    return subprocess.run(command, capture_output=True, env=environment, **more)


def tool_document(*arguments):
    """The JSON document that the program writes."""
    return json.loads(run_tool(*arguments).stdout)


def tool_line(*arguments):
    """The one line that the program says on its standard error."""
    lines = run_tool(*arguments).stderr.decode().splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("opdebug: ")
    return lines[0][len("opdebug: ") :]


@pytest.fixture
def tree(tmp_path):
    """Three ranks with two dumps each, a damaged one among them."""
    for rank in range(3):
        folder = tmp_path / f"job/20261012093000/{rank}/bert_train/3/12"
        folder.mkdir(parents=True)
        for step in range(2):
            shutil.copy(DUMP, folder / f"Opdebug.Node_OpDebug.118.21.{1791769287318452 + 1000 * step + rank}")
    damaged = tmp_path / "job/20261012093000/1/bert_train/3/12/Opdebug.Node_OpDebug.118.21.1791769287319453"
    damaged.write_bytes(DUMP.read_bytes()[:20])
    return tmp_path / "job"


def endless_log(path):
    """A log that takes hours to read: a file with a hole."""
    with open(path, "wb") as file:
        file.truncate(1 << 42)
    return path


def _varint(number):
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])


def _number(field, value):
    return _varint(field << 3) + _varint(value)


def _message(field, content):
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def endless_measuring(folder):
    """An overflow dump whose operator's dump takes hours to measure (a file with a hole); docs/internals/formats.md tells the fields."""
    size = 1 << 42
    shape = _message(3, _message(1, _varint(size // 4)))
    output = _number(1, 1) + _number(2, 2) + shape + _number(6, size)  # float32, ND
    header = _message(1, b"2.0") + _number(2, 1791769287318400) + _message(3, output)
    with open(folder / "MatMul.net_mul.118.21.1791769287318400", "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header)
        file.truncate(8 + len(header) + size)
    return shutil.copy(DUMP, folder)
