"""Paths in, one document out: dumps, API dumps, tensors of an operator, what is missing, several reports as one. And the
dumps below some paths."""

import os
import tempfile
from typing import Any, List, Optional

from . import native
from .arguments import Document, Language, Limits, Path, Paths, decoding_options, given_paths, path_bytes, paths_option
from .errors import ScanWarning, warn_of_failures
from .interruptible import interruptible
from .logs import LogsOrPaths, handle_of, pointer_of


def find(paths: Paths, *, limits: Optional[Limits] = None) -> List[str]:
    """The dumps of files and of the trees below folders, in path order: those that scan() would read. Ctrl-C ends it.

    Each dump is listed once, also if links lead to it twice. Converted JSON replaces a dump that is gone. All paths can be
    opened, also names that are not UTF-8 (os.fsdecode()). A ScanWarning names missing paths and unreadable folders. Raises
    Error if none of the paths can be used.

    limits  those of a scan, for example {"folder_depth": 1000} (docs/reference/commands.md, "Limits")
    """
    options = native.Options(limits)
    encoded = given_paths(paths)
    array = native.path_array(encoded)

    def find_dumps(stop: object, stop_data: object) -> native.Handle:
        files = native.call(native.find_dumps, array, len(encoded), options.pointer, stop, stop_data)
        assert files is not None
        return native.Handle(files, native.files_free)

    handle = interruptible(find_dumps)
    document = native.parsed(native.call_for_text(native.files_to_json, handle.pointer))
    warn_of_failures(document["failures"], ScanWarning, 2)
    # Of the paths the document knows text only.
    return [os.fsdecode(native.files_path(handle.pointer, index)) for index in range(len(document["files"]))]


def scan(
    paths: Paths,
    *,
    logs: Optional[LogsOrPaths] = None,
    tensors: bool = False,
    threads: int = 0,
    language: Language = "en",
    status_catalogue: Optional[Paths] = None,
    utc_offset_minutes: Optional[int] = None,
    system_time_zone: bool = True,
    all: bool = False,
    first: Optional[int] = None,
    traces: Optional[Paths] = None,
    limits: Optional[Limits] = None,
) -> Document:
    """The report on dumps and on the trees below folders, as `opdebug scan` (opdebug.report/1). Ctrl-C ends it at any time.

    threads     0: as many as the machine runs at once; the report does not depend on it
    all, first  as the program's options
    traces      profilers' traces of the same run (trace_view.json), which tie overflow dumps to API calls
    The others are those of decode(); `logs` as paths are read for these dumps only. `failures` lists failed dumps, then
    missing paths and unreadable folders. Raises Error if none of the paths can be used.

    In `file` of a document, bytes that are not UTF-8 are U+FFFD, so the path cannot be opened. For such names, and for the
    records of single dumps, decode() each path of find().
    """
    options = decoding_options(tensors, language, status_catalogue, utc_offset_minutes, system_time_zone, limits)
    options.set(
        threads=threads,
        all=all,
        first=first,
        traces=paths_option(traces),
        temporary_folder=os.fsencode(tempfile.gettempdir()),
    )
    encoded = given_paths(paths)
    handle = handle_of(logs, encoded, limits, 2)
    return _document(native.scan, encoded, options, pointer_of(handle))


def api_report(
    paths: Paths,
    *,
    threads: int = 0,
    findings_per_verdict: Optional[int] = None,
    limits: Optional[Limits] = None,
) -> Document:
    """The API calls that made the first bad values, as `opdebug api` (opdebug.api_report/1). Reads dumps of msprobe,
    ptdbg_ascend and MindSpore below the paths. Ctrl-C ends it at any time.

    threads               0: as many as the machine runs at once; the document does not depend on it
    findings_per_verdict  findings that are kept of each verdict and file; 1000 by default
    limits                names and values: docs/reference/commands.md, "Limits"

    `failures` lists unreadable files and folders, `diagnostics` cut dumps. Raises Error if none of the paths can be used.
    """
    options = native.Options(limits, threads=threads, findings_per_verdict=findings_per_verdict)
    return _document(native.api_report, paths, options)


def tensors(path: Path, *, limits: Optional[Limits] = None) -> Document:
    """Statistics of the inputs and outputs of an operator's own dump (opdebug.tensors/1). Ctrl-C ends it at any time.

    Damage of one tensor is in its `diagnostics`. Raises Error when the file is no operator's dump.
    """
    encoded = path_bytes(path)
    options = native.Options(limits)

    def measure(stop: object, stop_data: object) -> Any:
        text = native.call_for_text(native.measure_op_dump, encoded, options.pointer, stop, stop_data)
        return native.parsed(text)

    return interruptible(measure)


def doctor(paths: Paths, *, language: Language = "en", limits: Optional[Limits] = None) -> Document:
    """What dumps, logs and settings lack to explain overflows, as `opdebug doctor PATH` (opdebug.doctor/1).
    Ctrl-C ends it at any time. A path that cannot be read is a finding."""
    options = native.Options(limits, language=language)
    return _document(native.examine, paths, options)


def merge(reports: Paths, *, language: Language = "en", first: Optional[int] = None) -> Document:
    """One report of several, as `opdebug merge` (opdebug.report/1).

    reports  files that `opdebug scan --format jsonl` wrote, plain, gzip or Zstandard
    first    only so many of the earliest dumps in the timeline

    `diagnostics` names parts that are missing, cut or not usable. Raises Error when none can be used.
    """
    options = native.Options(language=language, first=first, temporary_folder=os.fsencode(tempfile.gettempdir()))
    return _document(native.merge_reports, reports, options)


def _document(function: Any, paths: Paths, options: native.Options, *more: Any) -> Document:
    """What a C function makes of paths."""
    encoded = given_paths(paths)
    array = native.path_array(encoded)

    def work(stop: object, stop_data: object) -> Document:
        text = native.call_for_text(function, array, len(encoded), *more, options.pointer, stop, stop_data)
        document: Document = native.parsed(text)
        return document

    return interruptible(work)
