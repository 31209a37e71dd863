"""One dump, one status."""

import operator
import os
from ctypes import c_uint64
from typing import Any, Iterable, List, Optional, Union

from . import native
from .arguments import Document, Language, Limits, Path, Paths, decoding_options, path_bytes, paths_option
from .errors import Error, printable
from .logs import LogsOrPaths, handle_of, pointer_of

Source = Union[str, "os.PathLike[str]", "os.PathLike[bytes]", bytes, bytearray, memoryview]


def decode(
    source: Source,
    *,
    file: Optional[Path] = None,
    logs: Optional[LogsOrPaths] = None,
    tensors: bool = False,
    language: Language = "en",
    status_catalogue: Optional[Paths] = None,
    utc_offset_minutes: Optional[int] = None,
    system_time_zone: bool = True,
    limits: Optional[Limits] = None,
) -> Document:
    """Decodes a dump and finds its operator: the record document (opdebug.record/1).

    source              a path, or the bytes of a dump
    file                the path of bytes: it gives ids and appears in errors; it is not read
    logs                a result of read_logs(), or paths. Paths are read for this dump; a LogsWarning names unreadable
                        files. For many dumps, call read_logs() first
    tensors             measure the operator's own dump; not for bytes. Some gigabytes need a second; Ctrl-C waits
    language            "en" or "zh": the texts of causes
    status_catalogue    JSON files that describe status words, not the built-in ones (docs/guides/own-formats.md)
    utc_offset_minutes  minutes that the local time of the logs is ahead of UTC, if it is known
    system_time_zone    False: the logs may be from another time zone than this machine's
    limits              input limits, for example {"file_bytes": 1 << 20} (docs/reference/commands.md, "Limits")

    A partly usable dump is a document with diagnostics of severity "error". Raises Error if nothing is usable.
    """
    options = decoding_options(tensors, language, status_catalogue, utc_offset_minutes, system_time_zone, limits)
    return _decode(source, file, logs, limits, options)


def locate(
    source: Source,
    *,
    file: Optional[Path] = None,
    logs: Optional[LogsOrPaths] = None,
    language: Language = "en",
    status_catalogue: Optional[Paths] = None,
    utc_offset_minutes: Optional[int] = None,
    system_time_zone: bool = True,
    limits: Optional[Limits] = None,
) -> Document:
    """The part of decode()'s document about operator and model, with the reasons if they are unknown."""
    options = decoding_options(False, language, status_catalogue, utc_offset_minutes, system_time_zone, limits)
    record = _decode(source, file, logs, limits, options)
    return {"operator": record["operator"], "model": record["model"], "diagnostics": record["diagnostics"]}


def explain(
    path: Union[str, "os.PathLike[str]", "os.PathLike[bytes]"],
    *,
    logs: Optional[LogsOrPaths] = None,
    tensors: bool = False,
    verbose: bool = False,
    language: Language = "en",
    status_catalogue: Optional[Paths] = None,
    utc_offset_minutes: Optional[int] = None,
    system_time_zone: bool = True,
    limits: Optional[Limits] = None,
) -> str:
    """The text for people about a dump, like `opdebug decode --format text`. The arguments are those of decode().

    verbose  all details, whole lines and paths
    """
    if not isinstance(path, (str, os.PathLike)):
        raise TypeError(f"path must be the path of a dump, not {type(path).__name__}")
    options = decoding_options(tensors, language, status_catalogue, utc_offset_minutes, system_time_zone, limits)
    options.set(verbose=verbose)
    encoded = path_bytes(path)
    handle = handle_of(logs, encoded, limits, 2)
    text = native.call_for_text(native.explain_file, encoded, pointer_of(handle), options.pointer)
    del handle  # not before: the call used what it owns
    return "" if text is None else text.decode("utf-8")


# Warnings point at the caller of decode() or locate(), which call _decode().
_CALLERS_LEVEL = 3


def _decode(
    source: Source, file: Optional[Path], logs: Optional[LogsOrPaths], limits: Optional[Limits], options: native.Options
) -> Document:
    if isinstance(source, (str, os.PathLike)):
        if file is not None:
            raise TypeError("file is the path that bytes came from; source is a path itself")
        path = path_bytes(source)
        handle = handle_of(logs, path, limits, _CALLERS_LEVEL)
        text = native.call_for_text(native.decode_file, path, pointer_of(handle), options.pointer)
    else:
        content = _content_of(source)
        name = None if file is None else path_bytes(file)
        handle = handle_of(logs, None, limits, _CALLERS_LEVEL)
        text = native.call_for_text(
            native.decode_bytes, content, len(content), name, pointer_of(handle), options.pointer
        )
    del handle  # not before: the call used what it owns
    result: Document = native.parsed(text)
    return result


def _content_of(source: Source) -> bytes:
    try:
        return source if isinstance(source, bytes) else bytes(memoryview(source))  # type: ignore[arg-type]  # no path
    except TypeError:
        pass
    given = type(source).__name__
    if hasattr(source, "read"):
        hint = "of an open file give its name, or what read() gives in binary mode"
    elif isinstance(source, (list, tuple, set)):
        hint = "for several dumps call it for each, or scan()"
    else:
        hint = "str, bytes, os.PathLike or a buffer such as bytearray, memoryview, mmap"
    raise TypeError(f"source must be the path of a dump or the bytes of one, not {given}: {hint}")


def decode_status(
    unit: str,
    status: Union[int, Iterable[int]],
    *,
    language: Language = "en",
    status_catalogue: Optional[Paths] = None,
    limits: Optional[Limits] = None,
) -> Document:
    """Explains a bare status, as `opdebug status` does.

    unit    "ai-core", "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu" or "sdma"
    status  the value, or the four of an accelerator record of version 1
    """
    words = _words_of(status)
    options = native.Options(limits, language=language, status_catalogue=paths_option(status_catalogue))
    text = native.call_for_text(
        native.decode_status, _unit_bytes(unit), (c_uint64 * len(words))(*words), len(words), options.pointer
    )
    result: Document = native.parsed(text)
    return result


def _words_of(status: Union[int, Iterable[int]]) -> List[int]:
    """The status words; also numbers of NumPy."""
    words: List[Any] = [status]
    if isinstance(status, Iterable) and not isinstance(status, (str, bytes, bytearray)):
        words = list(status)
    for word in words:
        if isinstance(word, bool) or not hasattr(word, "__index__"):
            hint = "; int(text, 0) makes one of a text" if isinstance(word, (str, bytes)) else ""
            raise TypeError(f"a status is an int, or a list of four, not {word!r}{hint}")
    numbers = [operator.index(word) for word in words]
    if not all(0 <= number < 1 << 64 for number in numbers):
        raise ValueError("a status is a number of 64 bits that is not negative")
    return numbers


def _unit_bytes(unit: str) -> bytes:
    """The unit as C takes it. A NUL would cut it short."""
    if not isinstance(unit, str):
        raise TypeError(f"unit is a str such as 'ai-core', not {type(unit).__name__}")
    if "\0" in unit:
        raise Error("invalid_argument", f"'{printable(unit)}' is not a unit: it holds a NUL")
    return unit.encode("utf-8", "replace")
