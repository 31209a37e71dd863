"""The native object beside this file, and the C functions in it (opdebug/opdebug.h says what they do)."""

import ctypes
import json
import os
import weakref
from ctypes import POINTER, c_char_p, c_int, c_int64, c_size_t, c_uint, c_uint64, c_void_p
from typing import Any, Callable, Optional, Sequence

from .errors import Error, printable

# CDLL gives the interpreter to other threads while a function works.
_library = ctypes.CDLL(os.path.join(os.path.dirname(os.path.abspath(__file__)), "_native.so"))

_error_out = POINTER(c_void_p)
_paths_in = POINTER(c_char_p)


def _function(name: str, result: Any, *arguments: Any) -> Any:
    function = getattr(_library, "opdebug_" + name)
    function.restype = result
    function.argtypes = arguments
    return function


# Texts that are the caller's come as c_void_p: ctypes would drop the address of a c_char_p.
_version = _function("version", c_char_p)
_error_code = _function("error_code", c_char_p, c_void_p)
_error_message = _function("error_message", c_char_p, c_void_p)
_error_file = _function("error_file", c_char_p, c_void_p)
_error_offset = _function("error_offset", c_int64, c_void_p)
_error_free = _function("error_free", None, c_void_p)
_string_free = _function("string_free", None, c_void_p)

# As `stop` of the functions below; its data is the address of a c_int.
stop_when_set = ctypes.cast(_library.opdebug_stop_when_set, c_void_p)

_read_logs_arguments = (_paths_in, c_size_t, c_char_p, c_void_p, c_void_p, _error_out)
read_logs = _function("read_logs", c_void_p, *_read_logs_arguments)
logs_to_json = _function("logs_to_json", c_void_p, c_void_p, _error_out)
logs_free = _function("logs_free", None, c_void_p)

decode_file = _function("decode_file", c_void_p, c_char_p, c_void_p, c_char_p, _error_out)
decode_bytes = _function("decode_bytes", c_void_p, c_char_p, c_size_t, c_char_p, c_void_p, c_char_p, _error_out)
decode_status = _function("decode_status", c_void_p, c_char_p, POINTER(c_uint64), c_size_t, c_char_p, _error_out)

_find_dumps_arguments = (_paths_in, c_size_t, c_char_p, c_void_p, c_void_p, _error_out)
find_dumps_with_options = _function("find_dumps_with_options", c_void_p, *_find_dumps_arguments)
files_path = _function("files_path", c_char_p, c_void_p, c_size_t)
files_to_json = _function("files_to_json", c_void_p, c_void_p, _error_out)
files_free = _function("files_free", None, c_void_p)

_scan_start_arguments = (_paths_in, c_size_t, c_void_p, c_char_p, c_void_p, c_void_p, _error_out)
scan_start = _function("scan_start", c_void_p, *_scan_start_arguments)
scan_wait = _function("scan_wait", c_int, c_void_p, c_uint)
scan_next = _function("scan_next", c_void_p, c_void_p, _error_out)
scan_report = _function("scan_report", c_void_p, c_void_p, _error_out)
scan_summary = _function("scan_summary", c_void_p, c_void_p, _error_out)
scan_free = _function("scan_free", None, c_void_p)

_api_report_arguments = (_paths_in, c_size_t, c_char_p, c_void_p, c_void_p, _error_out)
api_report = _function("api_report", c_void_p, *_api_report_arguments)


def version() -> str:
    """The version of the native object, "X.Y.Z"."""
    text: bytes = _version()
    return text.decode("ascii")


def _taken(error: c_void_p) -> Error:
    """The error as an exception; the native one is freed."""
    file = _error_file(error)
    offset = _error_offset(error)
    exception = Error(
        _error_code(error).decode("ascii"),
        printable(_error_message(error).decode("utf-8", "surrogateescape")),
        None if file is None else os.fsdecode(file),
        None if offset < 0 else offset,
    )
    _error_free(error)
    return exception


def call(function: Any, *arguments: Any) -> Optional[int]:
    """What the function returns; raises the error that it stores."""
    error = c_void_p()
    result: Optional[int] = function(*arguments, ctypes.byref(error))
    if error:
        raise _taken(error)
    return result


def call_for_text(function: Any, *arguments: Any) -> Optional[bytes]:
    """The text that the function returns; None where it has none. Raises the error that it stores."""
    text = call(function, *arguments)
    if text is None:
        return None
    try:
        return ctypes.string_at(text)
    finally:
        _string_free(text)


def parsed(text: Optional[bytes]) -> Any:
    """The document that the text is; None where there is none."""
    return None if text is None else json.loads(text)


def path_array(paths: Sequence[bytes]) -> Any:
    """The paths as `const char *const *`."""
    return (c_char_p * len(paths))(*paths)


class Handle:
    """Owns a native object: it is freed when nothing refers to this any more, so not while a call uses it.

    At the end of the interpreter nothing is freed: a thread that is still in a call may go on with it.
    """

    def __init__(self, pointer: int, free: Callable[[int], None]) -> None:
        self.pointer = pointer
        weakref.finalize(self, free, pointer).atexit = False
