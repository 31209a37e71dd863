"""The exception."""

import errno
import pickle

import pytest
from conftest import DUMP

import opdebug


def fail(path):
    return opdebug.decode(path)


def test_every_field_survives_pickling():
    error = opdebug.Error("read_failed", "the disk is gone", "a/\udcffb", 17)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        copy = pickle.loads(pickle.dumps(error, protocol))
        assert (copy.code, copy.message, copy.file, copy.offset) == ("read_failed", "the disk is gone", "a/\udcffb", 17)
        assert str(copy) == str(error)


def test_errors_about_files_are_those_of_python(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        opdebug.decode(tmp_path / "missing")
    error = caught.value
    assert isinstance(error, opdebug.Error)
    assert (error.errno, error.filename, error.code) == (errno.ENOENT, str(tmp_path / "missing"), "file_not_found")
    assert str(error) == f"{error.file}: {error.message}"
    with pytest.raises(IsADirectoryError):
        opdebug.decode(tmp_path)
    damaged = tmp_path / DUMP.name
    damaged.write_bytes(b"1234567890")
    with pytest.raises(opdebug.Error) as caught:
        opdebug.decode(damaged)
    assert not isinstance(caught.value, OSError)
    copy = pickle.loads(pickle.dumps(error))
    assert isinstance(copy, FileNotFoundError)
    assert (copy.code, copy.file, copy.filename, str(copy)) == ("file_not_found", error.file, error.file, str(error))


def test_codes_that_are_os_errors():
    for code, kind in [("permission_denied", PermissionError), ("read_failed", OSError)]:
        error = opdebug.errors.error_of(code, "the message", "a", 3)
        assert isinstance(error, kind) and isinstance(error, opdebug.Error)
        assert str(error) == "a: at byte 3: the message"
    assert not isinstance(opdebug.errors.error_of("header_truncated", "m", "a", 3), OSError)


def test_its_names():
    error = opdebug.Error("read_failed", "the disk is gone", "a", 17)
    assert repr(error) == "opdebug.Error('read_failed', 'the disk is gone', file='a', offset=17)"
    assert repr(opdebug.Error("interrupted", "message")) == "opdebug.Error('interrupted', 'message')"
    for public in (opdebug.Error, opdebug.LogsWarning, opdebug.ScanWarning):
        assert f"{public.__module__}.{public.__qualname__}" == f"opdebug.{public.__name__}"


def test_the_text_is_one_line_that_can_be_shown():
    text = str(opdebug.Error("read_failed", "message", "a\n\x1b\u202e\x85\udcff", 3))
    assert text == r"a\x0a\x1b\xe2\x80\xae\xc2\x85\xff: at byte 3: message"
    text.encode("utf-8")
    assert str(opdebug.Error("interrupted", "message")) == "message"
    assert str(opdebug.Error("interrupted", "of a\x1bfile")) == r"of a\x1bfile"
