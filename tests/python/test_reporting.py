"""tensors(), doctor() and merge()."""

import gzip
import struct

import pytest
from conftest import DUMP, LOGS, run_tool, tool_document

import opdebug


@pytest.fixture
def op_dump(tmp_path):
    """An operator's dump with one output of float16: 1, the largest finite number, Inf."""
    data = struct.pack("<3H", 0x3C00, 0x7BFF, 0x7C00)
    # docs/internals/formats.md: version 1, time 2, output 3 with data type 1 (FLOAT16 is 2), format 2, shape 3, size 6.
    output = bytes([0x08, 2, 0x10, 2, 0x1A, 3, 0x0A, 1, 3, 0x30, len(data)])
    header = b"\x0a\x032.0\x10\x01" + bytes([0x1A, len(output)]) + output
    path = tmp_path / "MatMul.net_mul.118.21.1791769287318400"
    path.write_bytes(struct.pack("<Q", len(header)) + header + data)
    return path


@pytest.fixture
def parts(tree, tmp_path):
    """The reports of two shards."""
    files = [tmp_path / "0.jsonl", tmp_path / "1.jsonl"]
    for number, file in enumerate(files):
        run_tool("scan", "--format", "jsonl", "--shard", f"{number}/2", "-o", file, tree)
    return files


def test_tensors(op_dump):
    document = opdebug.tensors(op_dump)
    assert document == tool_document("tensors", op_dump, "--format", "json")
    (tensor,) = document["tensors"]
    assert (tensor["kind"], tensor["dtype"], tensor["shape"], tensor["elements"]) == ("output", "float16", [3], 3)
    assert (tensor["max"], tensor["min"], tensor["pos_inf"], tensor["saturated"]) == (65504.0, 1.0, 1, 1)
    assert (document["op_type"], document["task_id"], document["stream_id"]) == ("MatMul", 118, 21)


def test_tensors_of_no_dump(op_dump, tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        opdebug.tensors(tmp_path / "missing")
    assert caught.value.code == "file_not_found"
    with pytest.raises(opdebug.Error, match="header_bytes"):
        opdebug.tensors(op_dump, limits={"header_bytes": 5})


def test_the_doctor_is_the_programs(tree):
    document = opdebug.doctor([tree, LOGS])
    assert document == tool_document("doctor", "--format", "json", tree, LOGS)
    assert (document["counts"]["dumps"], document["counts"]["logs"]) == (6, 2)
    assert opdebug.doctor(tree, language="zh")["findings"] == tool_document(
        "doctor", "--format", "json", "--lang", "zh", tree
    )["findings"]


def test_a_missing_path_is_a_finding(tmp_path):
    document = opdebug.doctor(tmp_path / "missing")
    assert [finding["path"] for finding in document["findings"]] == [str(tmp_path / "missing")]
    with pytest.raises(opdebug.Error, match="no path was given"):
        opdebug.doctor([])


def test_parts_merge_to_the_whole(tree, parts):
    whole = opdebug.scan(tree)
    assert opdebug.merge(parts) == whole
    packed = parts[1].with_suffix(".gz")
    packed.write_bytes(gzip.compress(parts[1].read_bytes()))
    assert opdebug.merge([parts[0], packed]) == whole
    assert len(opdebug.merge(parts, first=2)["timeline"]) == 2


def test_a_part_that_cannot_be_used(parts, tmp_path):
    report = opdebug.merge([parts[0], tmp_path / "missing"])
    assert "part_unusable" in [remark["code"] for remark in report["diagnostics"]]
    with pytest.raises(opdebug.Error) as caught:
        opdebug.merge([DUMP])
    assert caught.value.code == "invalid_argument"
