"""All dumps below some paths."""

import json
import os
import tempfile
import threading
import weakref
from types import TracebackType
from typing import Any, Dict, Iterator, NoReturn, Optional, Type

from . import native
from .arguments import Paths, decoding_options, is_text, options_text, path_list
from .documents import RecordDocument
from .interruptible import interruptible
from .logs import LogsOrPaths, handle_of, pointer_of

# So long a wait is not asked whether a signal came or the scan was closed.
_WAIT_MILLISECONDS = 50


class _Pulled:
    """The native scan; one thread at a time uses it."""

    def __init__(self, pointer: int) -> None:
        self._pointer: Optional[int] = pointer
        self._lock = threading.Lock()
        self._closing = False
        self._process = os.getpid()

    def text(self, function: Any) -> Optional[bytes]:
        """What scan_next or scan_report gives, once it would do so at once."""
        if os.getpid() != self._process:
            raise ValueError("the scan belongs to the process that started it")
        with self._lock:
            while self._pointer is not None and not self._closing:
                if native.scan_wait(self._pointer, _WAIT_MILLISECONDS):
                    return native.call_for_text(function, self._pointer)
        raise ValueError("the scan was closed")

    def close(self) -> None:
        """Ends the scan. In a forked process its threads are not there and nothing can be ended."""
        if os.getpid() != self._process:
            return
        self._closing = True
        with self._lock:
            pointer, self._pointer = self._pointer, None
            if pointer is not None:
                native.scan_free(pointer)


class Scan(Iterator[RecordDocument]):
    """A scan that is under way: an iterator of record documents, in path order.

    Overflowed, clean and failed dumps come; those that failed hold the error as diagnostic, clean ones lack the remark
    `no_overflow`, as in the report. Several threads may take documents from one scan. close(), the end of a `with` and the
    end of the last reference end the scan, also in the middle of it. Only the process that started it can use it.
    """

    def __init__(self, pulled: _Pulled) -> None:
        self._pulled = pulled
        weakref.finalize(self, pulled.close)

    def __iter__(self) -> "Scan":
        return self

    def __next__(self) -> RecordDocument:
        text = self._pulled.text(native.scan_next)
        if text is None:
            raise StopIteration
        document: RecordDocument = json.loads(text)
        return document

    def report(self) -> Dict[str, Any]:
        """The report of the scan (opdebug.report/1), as `opdebug scan --format json` writes it. Documents that were not taken
        are passed over."""
        while self._pulled.text(native.scan_next) is not None:
            pass
        document: Dict[str, Any] = json.loads(self._pulled.text(native.scan_report) or b"")
        return document

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
    language: str = "en",
    status_catalogue: Optional[Paths] = None,
    utc_offset_minutes: Optional[int] = None,
    system_time_zone: bool = True,
    all: bool = False,
    first: Optional[int] = None,
) -> Scan:
    """Begins a scan of dumps and of the trees below folders, as `opdebug scan` does. Ctrl-C ends it at any time.

    threads     0: as many as the machine runs at once; the documents and their order do not depend on it
    all, first  of the report, as the program's options
    The others are those of decode(); `logs` given as paths are read for these dumps only. Raises Error when none of the paths
    can be used.
    """
    encoded = path_list(paths)
    temporary_folder = os.fsencode(tempfile.gettempdir())
    options = options_text(
        **decoding_options(tensors, language, status_catalogue, utc_offset_minutes, system_time_zone),
        threads=threads,
        all=all,
        first=first,
        temporary_folder=temporary_folder.decode("utf-8") if is_text(temporary_folder) else None,
    )
    handle = handle_of(logs, encoded, 2)
    array = native.path_array(encoded)

    def start(stop: object) -> Scan:
        pointer = native.call(native.scan_start, array, len(encoded), pointer_of(handle), options, stop, None)
        assert pointer is not None
        return Scan(_Pulled(pointer))

    return interruptible(start)
