"""decode() and locate()."""

import array
import io
import mmap
import os
import shutil
import subprocess
import sys

import pytest
from conftest import DUMP, LOGS, SOURCE, endless_measuring, tool_document, tool_line

import opdebug


def test_every_committed_dump_equals_the_program():
    dumps = [path for path in (SOURCE / "testdata/demo").rglob("Opdebug.*")]
    assert dumps
    for dump in dumps:
        assert opdebug.decode(dump) == tool_document("decode", dump)
        assert list(opdebug.decode(dump)) == list(tool_document("decode", dump))


@pytest.mark.parametrize(
    "options, arguments",
    [
        ({"logs": LOGS}, ["--logs", LOGS]),
        ({"logs": [LOGS]}, ["--logs", LOGS]),
        ({"logs": str(LOGS), "utc_offset_minutes": 480}, ["--logs", LOGS, "--utc-offset", "+08:00"]),
        ({"tensors": True}, ["--tensors"]),
        ({"language": "zh"}, ["--lang", "zh"]),
    ],
)
def test_options_are_the_programs(options, arguments):
    assert opdebug.decode(DUMP, **options) == tool_document("decode", DUMP, *arguments)


def test_limits_are_the_librarys():
    with pytest.raises(opdebug.Error, match="the limit file_bytes is 100 ") as raised:
        opdebug.decode(DUMP, limits={"file_bytes": 100})
    assert raised.value.code == "file_too_large"
    with pytest.raises(opdebug.Error, match="; the limits are file_bytes, ") as raised:
        opdebug.locate(DUMP, limits={"file_byte": 100})
    with pytest.raises(opdebug.Error, match='unknown limit "first"; the limits are file_bytes, '):
        opdebug.decode(DUMP, limits={"first": 1})
    assert raised.value.code == "invalid_argument"
    with pytest.raises(opdebug.Error, match="from 1 on"):
        opdebug.decode_status("aiv", 1, limits={"nesting": 0})
    assert opdebug.decode(DUMP, limits={}) == opdebug.decode(DUMP)
    assert [failure["code"] for failure in opdebug.scan(DUMP, limits={"header_bytes": 10})["failures"]] == ["header_too_large"]
    assert [remark["code"] for remark in opdebug.read_logs(LOGS, limits={"line_bytes": 100}).diagnostics] == ["line_too_long"]


def test_the_committed_logs_name_the_operator():
    location = opdebug.locate(DUMP, logs=LOGS)
    record = opdebug.decode(DUMP, logs=LOGS)
    assert list(location) == ["operator", "model", "diagnostics"]
    assert location["operator"]["name"] and location["operator"]["confidence"] == "exact"
    assert location == {key: record[key] for key in location}


def test_a_zone_that_is_not_this_machines():
    # The log covers some hours of one day only: an offset that leads out of it does not count as the truth.
    assert opdebug.decode(DUMP, logs=LOGS, system_time_zone=False)["operator"] is not None


def test_bytes_are_decoded_as_the_file():
    content = DUMP.read_bytes()
    with open(DUMP, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        for source in (content, bytearray(content), memoryview(content), array.array("B", content), mapped):
            record = opdebug.decode(source, file=DUMP, logs=LOGS)
            assert record == opdebug.decode(DUMP, logs=LOGS)
    unnamed = opdebug.decode(content)
    assert unnamed["records"] == opdebug.decode(DUMP)["records"]
    assert unnamed["name_ids"]["task_id"] is None


def test_paths_of_any_kind(tmp_path, monkeypatch):
    odd = os.path.join(os.fsencode(tmp_path), b"Opdebug.Node_OpDebug.\xff\n.118.21.1791769287318452")
    shutil.copy(DUMP, odd)
    record = opdebug.decode(os.fsdecode(odd), logs=LOGS)
    assert record["file"] == os.fsdecode(odd).replace("\udcff", "\ufffd")
    assert record["operator"] == opdebug.decode(DUMP, logs=LOGS)["operator"]

    class Place:
        def __fspath__(self):
            return odd

    assert opdebug.decode(Place()) == opdebug.decode(os.fsdecode(odd))
    monkeypatch.chdir(DUMP.parent)
    assert opdebug.decode(DUMP.name)["file"] == DUMP.name


def test_errors_are_the_programs(tmp_path):
    missing = tmp_path / "Opdebug.Node_OpDebug.1.2.3"
    with pytest.raises(opdebug.Error) as caught:
        opdebug.decode(missing)
    assert caught.value.code == "file_not_found"
    assert caught.value.file == str(missing)
    assert caught.value.offset is None
    assert str(caught.value) == tool_line("decode", missing)

    cut = tmp_path / "Opdebug.Node_OpDebug.118.21.1791769287318452"
    cut.write_bytes(DUMP.read_bytes()[:20])
    with pytest.raises(opdebug.Error) as caught:
        opdebug.decode(cut)
    assert caught.value.offset is not None
    assert str(caught.value) == tool_line("decode", cut)
    assert tool_document("decode", cut)["diagnostics"][0]["code"] == caught.value.code

    with pytest.raises(opdebug.Error) as from_bytes:
        opdebug.decode(cut.read_bytes(), file=cut)
    assert str(from_bytes.value) == str(caught.value)


def test_mistakes_are_told():
    for options, words in [
        ({"language": "fr"}, "language"),
        ({"tensors": 2}, "tensors"),
        ({"utc_offset_minutes": 10000}, "utc_offset_minutes"),
    ]:
        with pytest.raises(opdebug.Error, match=words) as caught:
            opdebug.decode(DUMP, **options)
        assert caught.value.code == "invalid_argument"
    with pytest.raises(TypeError):
        opdebug.decode(DUMP, file="a path has its name already")
    with open(DUMP, "rb") as file:
        for source, words in [
            (None, "bytes of one, not NoneType"),
            (17, "bytes of one, not int"),
            ([DUMP], "not list: for several dumps"),
            (file, "not BufferedReader: of an open file give its name"),
            (io.BytesIO(b""), "not BytesIO: of an open file"),
        ]:
            with pytest.raises(TypeError, match=words):
                opdebug.decode(source)
    for options, words in [({"utc_offset_minutes": 60.0}, "utc_offset_minutes"), ({"limits": {"records": "64M"}}, "records")]:
        with pytest.raises(TypeError, match=words + ": an int was expected"):
            opdebug.decode(DUMP, **options)
    with pytest.raises(opdebug.Error, match="records.*from 1 on"):
        opdebug.decode(DUMP, limits={"records": 1 << 64})
    with pytest.raises(ValueError, match="null byte"):
        opdebug.decode(DUMP, language="en\0")
    for empty in ("", b""):
        with pytest.raises(opdebug.Error, match="empty"):
            opdebug.decode(empty)
    for options in ({"logs": ""}, {"logs": [LOGS, ""]}, {"status_catalogue": ""}):
        with pytest.raises(opdebug.Error, match="path is empty") as caught:
            opdebug.decode(DUMP, **options)
        assert caught.value.code == "invalid_argument"
    with pytest.raises(ValueError, match="null byte"):
        opdebug.decode("a\0b")


def test_the_interpreter_is_free_while_a_dump_is_decoded(tmp_path):
    # The call takes hours: with the interpreter in its hands the other thread would not get on.
    program = """
import os, sys, threading, time, opdebug
calling = threading.Event()
def work():
    calling.set()
    opdebug.decode(sys.argv[1], tensors=True)
threading.Thread(target=work, daemon=True).start()
calling.wait()
for _ in range(100):
    time.sleep(0.002)
    opdebug.decode(sys.argv[1])
print("free", flush=True)
os._exit(0)
"""
    ended = subprocess.run(
        [sys.executable, "-c", program, endless_measuring(tmp_path)], capture_output=True, timeout=60, check=True
    )
    assert ended.stdout == b"free\n"


def test_a_catalogue_of_ones_own(tmp_path):
    with pytest.raises(opdebug.Error) as caught:
        opdebug.decode(DUMP, status_catalogue=tmp_path / "missing.json")
    assert caught.value.file == str(tmp_path / "missing.json")
    built_in = SOURCE / "lib/data/status"
    record = opdebug.decode(DUMP, status_catalogue=sorted(built_in.glob("*.json")))
    assert record == opdebug.decode(DUMP)
