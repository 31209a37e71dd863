"""One dump, one status."""

import json
import os
from ctypes import c_uint64
from typing import Iterable, Optional, Union

from . import native
from .arguments import Path, Paths, decoding_options, options_text, path_bytes, paths_option
from .documents import Location, RecordDocument, StatusDocument
from .logs import LogsOrPaths, handle_of, pointer_of

Source = Union[str, "os.PathLike[str]", "os.PathLike[bytes]", bytes, bytearray, memoryview]


def decode(
    source: Source,
    *,
    file: Optional[Path] = None,
    logs: Optional[LogsOrPaths] = None,
    tensors: bool = False,
    language: str = "en",
    status_catalogue: Optional[Paths] = None,
    utc_offset_minutes: Optional[int] = None,
    system_time_zone: bool = True,
) -> RecordDocument:
    """Decodes a dump and finds its operator: the record document (opdebug.record/1).

    source              a path, or the bytes of a dump
    file                of bytes: the path that they came from. It gives ids and is named in errors; nothing is read there
    logs                what read_logs() gave, or paths: then they are read for this dump, and what cannot be read of them
                        becomes a LogsWarning. For many dumps, read_logs() first
    tensors             the operator's own dump beside the dump is measured, too: a second for some gigabytes, in which
                        Ctrl-C waits; nothing can be measured for bytes
    language            "en" or "zh": the texts of causes
    status_catalogue    JSON files that describe status words, in place of the built-in ones (docs/status-catalogue.md)
    utc_offset_minutes  minutes that the local time of the logs is ahead of UTC, where it is known
    system_time_zone    False: this machine's zone says nothing of the logs'
    A dump that is partly usable is a document with diagnostics of severity "error". Raises Error when nothing of it is.
    """
    options = decoding_options(tensors, language, status_catalogue, utc_offset_minutes, system_time_zone)
    return _decode(source, file, logs, options_text(**options), stacklevel=2)


def locate(
    source: Source,
    *,
    file: Optional[Path] = None,
    logs: Optional[LogsOrPaths] = None,
    language: str = "en",
    status_catalogue: Optional[Paths] = None,
    utc_offset_minutes: Optional[int] = None,
    system_time_zone: bool = True,
) -> Location:
    """The part of decode()'s document that tells the operator, its model, and why one is not known."""
    options = decoding_options(False, language, status_catalogue, utc_offset_minutes, system_time_zone)
    record = _decode(source, file, logs, options_text(**options), stacklevel=2)
    return {"operator": record["operator"], "model": record["model"], "diagnostics": record["diagnostics"]}


def _decode(
    source: Source, file: Optional[Path], logs: Optional[LogsOrPaths], options: bytes, stacklevel: int
) -> RecordDocument:
    if isinstance(source, (str, os.PathLike)):
        if file is not None:
            raise TypeError("file is the path that bytes came from; source is a path itself")
        path = path_bytes(source)
        handle = handle_of(logs, path, stacklevel + 1)
        text = native.call_for_text(native.decode_file, path, pointer_of(handle), options)
    else:
        content = source if isinstance(source, bytes) else bytes(memoryview(source))
        name = None if file is None else path_bytes(file)
        handle = handle_of(logs, None, stacklevel + 1)
        text = native.call_for_text(native.decode_bytes, content, len(content), name, pointer_of(handle), options)
    del handle  # not before: the call used what it owns
    document: RecordDocument = json.loads(text or b"")
    return document


def decode_status(
    unit: str,
    status: Union[int, Iterable[int]],
    *,
    language: str = "en",
    status_catalogue: Optional[Paths] = None,
) -> StatusDocument:
    """Explains a bare status, as `opdebug status` does.

    unit    "ai-core", "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu" or "sdma"
    status  the value, or the four of an accelerator record of version 1
    """
    words = [status] if isinstance(status, int) else list(status)
    if not all(0 <= word < 1 << 64 for word in words):
        raise ValueError("a status is a number of 64 bits that is not negative")
    options = options_text(language=language, status_catalogue=paths_option("status_catalogue", status_catalogue))
    text = native.call_for_text(
        native.decode_status, unit.encode("utf-8"), (c_uint64 * len(words))(*words), len(words), options
    )
    document: StatusDocument = json.loads(text or b"")
    return document
