"""The native object next to this file, and the C functions in it (opdebug/opdebug.h says what they do)."""

import ctypes
import json
import operator
import os
import weakref
from ctypes import POINTER, c_char_p, c_int, c_int64, c_size_t, c_uint64, c_void_p
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from .errors import Error, error_of, printable
from .machine import NATIVE, requirement

try:
    # CDLL gives the interpreter to other threads while a function works.
    _library = ctypes.CDLL(NATIVE)
except OSError as problem:
    raise ImportError(f"{problem}. The module {requirement()}. Run the program opdebug instead.") from problem

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

_options_new = _function("options_new", c_void_p)
_options_free = _function("options_free", None, c_void_p)
_options_set = _function("options_set", c_int, c_void_p, c_char_p, c_char_p, _error_out)

# Paths, their number, options, stop and its data.
_call_on_paths = (_paths_in, c_size_t, c_void_p, c_void_p, c_void_p, _error_out)

read_logs = _function("read_logs", c_void_p, *_call_on_paths)
logs_to_json = _function("logs_to_json", c_void_p, c_void_p, _error_out)
logs_free = _function("logs_free", None, c_void_p)

decode_file = _function("decode_file", c_void_p, c_char_p, c_void_p, c_void_p, _error_out)
explain_file = _function("explain_file", c_void_p, c_char_p, c_void_p, c_void_p, _error_out)
decode_bytes = _function("decode_bytes", c_void_p, c_char_p, c_size_t, c_char_p, c_void_p, c_void_p, _error_out)
decode_status = _function("decode_status", c_void_p, c_char_p, POINTER(c_uint64), c_size_t, c_void_p, _error_out)

find_dumps = _function("find_dumps", c_void_p, *_call_on_paths)
files_path = _function("files_path", c_char_p, c_void_p, c_size_t)
files_to_json = _function("files_to_json", c_void_p, c_void_p, _error_out)
files_free = _function("files_free", None, c_void_p)

_scan_arguments = (_paths_in, c_size_t, c_void_p, c_void_p, c_void_p, c_void_p, _error_out)
scan = _function("scan", c_void_p, *_scan_arguments)
api_report = _function("api_report", c_void_p, *_call_on_paths)
examine = _function("examine", c_void_p, *_call_on_paths)
merge_reports = _function("merge_reports", c_void_p, *_call_on_paths)
measure_op_dump = _function("measure_op_dump", c_void_p, c_char_p, c_void_p, c_void_p, c_void_p, _error_out)


def version() -> str:
    """The version of the native object, "X.Y.Z"."""
    text: bytes = _version()
    return text.decode("ascii")


def _taken(error: c_void_p) -> Error:
    """The error as an exception; the native one is freed."""
    file = _error_file(error)
    offset = _error_offset(error)
    exception = error_of(
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


Option = Union[str, bytes, int, Sequence[bytes], None]


class Options(Handle):
    """What a C function shall do differently. The library knows which options there are and what they may be; those that
    are None are not set."""

    def __init__(self, limits: Optional[Mapping[str, int]] = None, **options: Option) -> None:
        pointer: Optional[int] = _options_new()
        if pointer is None:
            raise MemoryError
        super().__init__(pointer, _options_free)
        self.set(**options)
        for name, value in ({} if limits is None else limits).items():
            call(_options_set, pointer, _text(f"limits.{name}"), _text(_number(name, value)))

    def set(self, **options: Option) -> None:
        """Text, numbers, flags, and paths as lists of bytes."""
        for name, value in options.items():
            for one in value if isinstance(value, list) else [] if value is None else [value]:
                text = one if isinstance(one, (str, bytes)) else str(int(one)) if isinstance(one, bool) else _number(name, one)
                call(_options_set, self.pointer, _text(name), _text(text))


def _text(text: Union[str, bytes]) -> bytes:
    """The text as C takes it. A NUL would cut it short."""
    encoded = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    if b"\0" in encoded:
        raise ValueError("embedded null byte in an option")
    return encoded


def _number(name: str, value: Any) -> str:
    """The number as a text; also numbers of NumPy."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name}: an int was expected, not {value!r}")
    return str(operator.index(value))
