"""What logs say of tasks."""

import warnings
from types import TracebackType
from typing import List, NoReturn, Optional, Type, Union

from . import native
from .arguments import Document, Limits, Paths, given_paths, path_list, paths_option
from .errors import Error, LogsWarning, printable
from .interruptible import interruptible


class Logs:
    """Logs that read_logs() has read. Never changes; many threads may use one at once.

    close(), or the end of a `with`, gives the memory back once no call uses it any more. A process that was forked later may
    use it. It cannot be pickled: let each process read the logs, or the map that `opdebug index` makes of them.
    """

    def __init__(self, handle: native.Handle) -> None:
        self._handle: Optional[native.Handle] = handle
        document = native.parsed(native.call_for_text(native.logs_to_json, handle.pointer))
        self.files: int = document["files"]
        self.lines: int = document["lines"]
        self.processes: int = document["processes"]
        self.tasks: int = document["tasks"]
        self.failures: List[Document] = document["failures"]
        self.diagnostics: List[Document] = document["diagnostics"]

    def __repr__(self) -> str:
        counts = f"files={self.files} lines={self.lines} processes={self.processes} tasks={self.tasks}"
        closed = " closed" if self._handle is None else ""
        return f"<opdebug.Logs {counts} failures={len(self.failures)}{closed}>"

    def close(self) -> None:
        self._handle = None

    def __enter__(self) -> "Logs":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        exception: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("logs that were read cannot be pickled: read them in each process")


LogsOrPaths = Union[Logs, Paths]


def read_logs(
    paths: Paths,
    *,
    wanted: Optional[Paths] = None,
    log_formats: Optional[Paths] = None,
    threads: int = 0,
    limits: Optional[Limits] = None,
) -> Logs:
    """Reads logs, folders of logs and saved maps, as --logs of the program does. Ctrl-C ends it.

    wanted       dumps and folders with dumps: only what these ask for is kept, which needs far less memory
    log_formats  definitions of further log lines (docs/reference/log-formats.md)
    threads      0: as many as the machine runs at once
    limits       input limits, for example {"line_bytes": 65536} (docs/reference/commands.md, "Limits")
    `failures` lists unreadable files. Raises Error if nothing could be read.
    """
    options = native.Options(
        limits, wanted=paths_option(wanted), log_formats=paths_option(log_formats), threads=threads
    )
    encoded = given_paths(paths)
    array = native.path_array(encoded)

    def read(stop: object, stop_data: object) -> native.Handle:
        logs = native.call(native.read_logs, array, len(encoded), options.pointer, stop, stop_data)
        assert logs is not None
        return native.Handle(logs, native.logs_free)

    return Logs(interruptible(read))


def handle_of(
    logs: Optional[LogsOrPaths], wanted: Optional[Paths], limits: Optional[Limits], stacklevel: int
) -> Optional[native.Handle]:
    """The native logs; None for none. Paths are read for what `wanted` asks, and what cannot be read of them becomes
    warnings."""
    if logs is None:
        return None
    if not isinstance(logs, Logs):
        paths = path_list(logs)
        if not paths:
            return None
        logs = read_logs(paths, wanted=wanted, limits=limits)
        _warn(logs, stacklevel + 1)
    handle = logs._handle
    if handle is None:
        raise ValueError("the logs were closed")
    return handle


def pointer_of(handle: Optional[native.Handle]) -> Optional[int]:
    return None if handle is None else handle.pointer


def _warn(logs: Logs, stacklevel: int) -> None:
    for failure in logs.failures:
        error = Error(failure["code"], failure["message"], failure["file"], failure["offset"])
        warnings.warn(str(error), LogsWarning, stacklevel + 1)
    for diagnostic in logs.diagnostics:
        warnings.warn(printable(diagnostic["message"]), LogsWarning, stacklevel + 1)
