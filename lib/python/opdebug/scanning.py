"""All dumps below some paths."""

import os
import tempfile
import threading
import weakref
from types import TracebackType
from typing import Any, Iterator, List, NoReturn, Optional, Type

from . import native
from .arguments import Limits, Paths, decoding_options, given_paths, paths_option
from .documents import Language, RecordDocument
from .errors import ScanWarning, warn_of_failures
from .interruptible import interruptible
from .logs import LogsOrPaths, handle_of, pointer_of
from .report_documents import ReportDocument, SummaryDocument

# The longest wait without a check for a signal or for the end of the scan.
_WAIT_MILLISECONDS = 50


class _Pulled:
    """The native scan; one thread at a time uses it. A signal handler may close it, or take from it, while the thread that
    it interrupts is inside text()."""

    def __init__(self, pointer: int) -> None:
        self._pointer = pointer
        self._process = os.getpid()
        self._lock = threading.RLock()
        self._uses = 0  # calls of text() in the thread that has the lock
        self._closing = False
        self._free = weakref.finalize(self, _free, pointer, self._process)  # frees once, however often it is called
        self._free.atexit = False

    def text(self, function: Any) -> Optional[bytes]:
        """What scan_next, scan_report or scan_summary gives, once it would do so at once."""
        if os.getpid() != self._process:
            raise ValueError("the scan belongs to the process that started it")
        with self._lock:
            uses = self._uses
            try:
                self._uses = uses + 1
                while not self._closing:
                    if native.scan_wait(self._pointer, _WAIT_MILLISECONDS):
                        return native.call_for_text(function, self._pointer)
            finally:
                self._uses = uses
                self._free_unused()
        raise ValueError("the scan was closed")

    @property
    def closed(self) -> bool:
        return self._closing

    def close(self) -> None:
        """Ends the scan. In a forked process its threads are not there and nothing can be ended."""
        if os.getpid() != self._process:
            return
        self._closing = True
        with self._lock:
            self._free_unused()

    def _free_unused(self) -> None:
        if self._closing and self._uses == 0:
            self._free()


def _free(pointer: int, process: int) -> None:
    if os.getpid() == process:
        native.scan_free(pointer)


class Scan(Iterator[RecordDocument]):
    """A scan that is under way: an iterator of record documents, in path order.

    It gives overflowed, clean and failed dumps. The error of a failed dump is a diagnostic. As in the report, clean dumps
    lack the remark `no_overflow`. A ScanWarning at the end names missing paths and unreadable folders. Several threads may
    take documents from one scan. close(), the end of a `with` and the end of the last reference end the scan at any time.
    Only the process that started it can use it.
    """

    def __init__(self, pulled: _Pulled, paths: List[bytes]) -> None:
        self._pulled = pulled
        self._paths = paths
        self._ended = False
        self._untold = threading.Semaphore(1)  # its owner warns of unreadable paths
        weakref.finalize(self, pulled.close)

    def __iter__(self) -> "Scan":
        return self

    def __next__(self) -> RecordDocument:
        text = self._pulled.text(native.scan_next)
        if text is None:
            self._ended = True
            if self._untold.acquire(blocking=False):
                summary = self.summary()
                # The dumps that failed come first, and had their documents.
                warn_of_failures(summary["failures"][summary["counts"]["failed"] :], ScanWarning, 2)
            raise StopIteration
        document: RecordDocument = native.parsed(text)
        return document

    def report(self) -> ReportDocument:
        """The report of the scan (opdebug.report/1), as `opdebug scan --format json` writes it. It skips documents that were
        not taken. `failures` lists failed dumps, then missing paths and unreadable folders."""
        self._pass_over()
        document: ReportDocument = native.parsed(self._pulled.text(native.scan_report))
        return document

    def summary(self) -> SummaryDocument:
        """Counts, groups, failures and diagnostics of the report, without its documents. It skips documents that were not
        taken."""
        self._pass_over()
        document: SummaryDocument = native.parsed(self._pulled.text(native.scan_summary))
        return document

    def _pass_over(self) -> None:
        while self._pulled.text(native.scan_next) is not None:
            pass
        self._ended = True

    def __repr__(self) -> str:
        first = os.fsdecode(self._paths[0])
        others = "" if len(self._paths) == 1 else f" and {len(self._paths) - 1} more"
        state = "closed" if self._pulled.closed else "ended" if self._ended else "under way"
        return f"<opdebug.Scan of {first!r}{others}, {state}>"

    def close(self) -> None:
        """Ends the scan; another thread that waits for a document gets a ValueError."""
        self._pulled.close()

    def __enter__(self) -> "Scan":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        exception: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a scan that is under way cannot be pickled")


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
) -> Scan:
    """Begins a scan of dumps and of the trees below folders, as `opdebug scan` does. Ctrl-C ends it at any time.

    threads     0: as many as the machine runs at once; the documents and their order do not depend on it
    all, first  of the report, as the program's options
    traces      profilers' traces of the same run (trace_view.json), which tie overflow dumps to API calls
    The others are those of decode(); `logs` as paths are read for these dumps only. Raises Error if none of the paths can be
    used.

    In `file` of a document, bytes that are not UTF-8 are U+FFFD, so the path cannot be opened. For such names, decode() each
    path of find().
    """
    encoded = given_paths(paths)
    options = decoding_options(tensors, language, status_catalogue, utc_offset_minutes, system_time_zone, limits)
    options.set(
        threads=threads,
        all=all,
        first=first,
        traces=paths_option(traces),
        temporary_folder=os.fsencode(tempfile.gettempdir()),
    )
    handle = handle_of(logs, encoded, limits, 2)
    array = native.path_array(encoded)

    def start(stop: object, stop_data: object) -> Scan:
        pointer = native.call(
            native.scan_start, array, len(encoded), pointer_of(handle), options.pointer, stop, stop_data
        )
        assert pointer is not None
        return Scan(_Pulled(pointer), encoded)

    return interruptible(start)
