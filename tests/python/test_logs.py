"""read_logs(), and logs given as paths."""

import concurrent.futures
import copy
import pickle
import warnings

import pytest
from conftest import DUMP, LOGS, SOURCE, tool_document

import opdebug


@pytest.fixture
def partly_readable(tmp_path):
    """Logs of which one file cannot be unpacked."""
    good = next(LOGS.rglob("plog-4711_20261012092958123.log"))
    (tmp_path / "plog-4711_20261012092958123.log").write_bytes(good.read_bytes())
    (tmp_path / "plog-4711_20261012092958125.log.gz").write_bytes(b"\x1f\x8bno such thing")
    return tmp_path


def test_what_was_read():
    with opdebug.read_logs(LOGS) as logs:
        assert (logs.files, logs.failures) == (2, [])
        assert logs.lines == sum(len(path.read_bytes().splitlines()) for path in LOGS.rglob("*.log"))
        assert opdebug.decode(DUMP, logs=logs) == tool_document("decode", DUMP, "--logs", LOGS)
        shown = f"<opdebug.Logs files=2 lines={logs.lines} processes={logs.processes} tasks={logs.tasks} failures=0"
        assert repr(logs) == shown + ">"
    assert repr(logs) == shown + " closed>"


def test_only_what_is_wanted_is_kept():
    everything = opdebug.read_logs([LOGS], threads=2)
    wanted = opdebug.read_logs([LOGS], wanted=DUMP, threads=1)
    assert wanted.tasks <= everything.tasks
    for logs in (everything, wanted, opdebug.read_logs(LOGS, wanted=[DUMP.parent])):
        assert opdebug.decode(DUMP, logs=logs)["operator"] == opdebug.decode(DUMP, logs=LOGS)["operator"]


def test_formats_of_ones_own():
    example = SOURCE / "testdata/log-formats-example"
    plain = opdebug.read_logs(example)
    told = opdebug.read_logs(example, log_formats=example / "my-launch.json")
    assert (plain.tasks, told.tasks > 0) == (0, True)
    with pytest.raises(opdebug.Error) as caught:
        opdebug.read_logs(example, log_formats=[LOGS / "missing.json"])
    assert caught.value.file == str(LOGS / "missing.json")


def test_files_that_cannot_be_read_are_told(partly_readable):
    logs = opdebug.read_logs(partly_readable)
    assert [failure["file"] for failure in logs.failures] == [str(next(partly_readable.glob("*.gz")))]
    with pytest.warns(opdebug.LogsWarning) as caught:
        record = opdebug.decode(DUMP, logs=partly_readable)
    assert [warning.filename for warning in caught] == [__file__]
    assert logs.failures[0]["message"] in str(caught[0].message)
    assert record["operator"] is not None
    with pytest.warns(opdebug.LogsWarning) as caught:
        assert opdebug.scan(DUMP, logs=partly_readable)["first"]["operator"] == record["operator"]
    assert [warning.filename for warning in caught] == [__file__]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        opdebug.decode(DUMP, logs=logs)
        with pytest.raises(opdebug.LogsWarning):
            opdebug.decode(DUMP, logs=[partly_readable])


def test_no_logs_at_all(tmp_path):
    with pytest.raises(opdebug.Error):
        opdebug.read_logs(tmp_path / "missing")
    with pytest.raises(opdebug.Error, match="no path was given") as caught:
        opdebug.read_logs([])
    assert caught.value.code == "invalid_argument"
    for none in ([], (), iter([])):
        assert opdebug.decode(DUMP, logs=none) == opdebug.decode(DUMP)
    assert opdebug.scan(DUMP, logs=[])["timeline"] == [opdebug.decode(DUMP)]
    with pytest.raises(opdebug.Error, match="missing"):
        opdebug.decode(DUMP, logs=tmp_path / "missing")


def test_closed_logs_are_not_used():
    logs = opdebug.read_logs(LOGS)
    logs.close()
    logs.close()
    with pytest.raises(ValueError, match="closed"):
        opdebug.decode(DUMP, logs=logs)
    assert logs.files == 2


def test_many_threads_share_logs():
    expected = opdebug.decode(DUMP, logs=LOGS)
    logs = opdebug.read_logs(LOGS)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        records = [pool.submit(opdebug.decode, DUMP, logs=logs) for _ in range(200)]
        logs_of_others = [pool.submit(opdebug.read_logs, LOGS) for _ in range(8)]
        assert all(record.result() == expected for record in records)
        assert {read.result().lines for read in logs_of_others} == {logs.lines}


def test_they_cannot_be_copied():
    logs = opdebug.read_logs(LOGS)
    for make_copy in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError, match="read them in each process"):
            make_copy(logs)
