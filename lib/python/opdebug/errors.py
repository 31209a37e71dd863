"""What can go wrong."""

import errno
import re
import warnings
from typing import Any, Dict, Optional, Sequence, Tuple, Type

# Characters that the program also shows as bytes: control characters, invisible characters, and bytes of file names
# that are not UTF-8 (os.fsdecode() makes surrogates of them). lib/src/report/text/printable.cpp has the same list, and
# a test compares both.
_NOT_PRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f-\u1160\u17b4-\u17b5\u180b-\u180f\u200b-\u200f"
    "\u2028-\u202e\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
)


def printable(text: str) -> str:
    """The text as one line that every terminal can show."""

    def as_bytes(found: "re.Match[str]") -> str:
        # Surrogates that mean no byte are shown as UTF-8 would write them if it could.
        rule = "surrogateescape" if "\udc80" <= found.group() <= "\udcff" else "surrogatepass"
        return "".join(f"\\x{byte:02x}" for byte in found.group().encode("utf-8", rule))

    return _NOT_PRINTABLE.sub(as_bytes, text)


class Error(Exception):
    """Why there is no result. The text of the exception is the line that the program `opdebug` says.

    With these codes it is also an exception of Python: FileNotFoundError (file_not_found), PermissionError
    (permission_denied), IsADirectoryError (is_directory), OSError (read_failed).

    code     stable, for example "file_not_found" (docs/reference/codes.md lists all)
    message  an English sentence
    file     the path, as Python spells paths (os.fsdecode); None: about no file
    offset   the byte in the file; None: unknown
    """

    __module__ = "opdebug"  # its public name, which a traceback shows

    def __init__(self, code: str, message: str, file: Optional[str] = None, offset: Optional[int] = None) -> None:
        super().__init__(code, message, file, offset)
        self.code = code
        self.message = message
        self.file = file
        self.offset = offset

    def __str__(self) -> str:
        file = "" if self.file is None else f"{printable(self.file)}: "
        place = "" if self.offset is None else f"at byte {self.offset}: "
        return file + place + printable(self.message)

    def __reduce__(self) -> Tuple[Type["Error"], Tuple[Optional[object], ...]]:
        return type(self), (self.code, self.message, self.file, self.offset)  # for a copy in another process

    def __repr__(self) -> str:
        file = "" if self.file is None else f", file={self.file!r}"
        offset = "" if self.offset is None else f", offset={self.offset}"
        return f"opdebug.Error({self.code!r}, {self.message!r}{file}{offset})"


class FileError(Error, OSError):
    """An Error about a file that cannot be read: also the OSError of its number."""

    _number = errno.EIO

    def __init__(self, code: str, message: str, file: Optional[str] = None, offset: Optional[int] = None) -> None:
        super().__init__(code, message, file, offset)
        OSError.__init__(self, self._number, message, file)


class MissingFile(FileError, FileNotFoundError):
    _number = errno.ENOENT


class DeniedFile(FileError, PermissionError):
    _number = errno.EACCES


class Folder(FileError, IsADirectoryError):
    _number = errno.EISDIR


_CLASSES: Dict[str, Type[Error]] = {
    "file_not_found": MissingFile,
    "permission_denied": DeniedFile,
    "is_directory": Folder,
    "read_failed": FileError,
}


def error_of(code: str, message: str, file: Optional[str], offset: Optional[int]) -> Error:
    """The exception for an error of the library."""
    return _CLASSES.get(code, Error)(code, message, file, offset)


class LogsWarning(UserWarning):
    """A part of the logs could not be read or used, if `logs` was paths."""

    __module__ = "opdebug"


class ScanWarning(UserWarning):
    """A path that was given to find(), or a folder below one, could not be read: dumps may be missing."""

    __module__ = "opdebug"


def warn_of_failures(failures: Sequence[Dict[str, Any]], category: Type[Warning], stacklevel: int) -> None:
    """A warning for each; level 2 points at the caller of the function that calls this."""
    for failure in failures:
        warnings.warn(str(Error(failure["code"], failure["message"], failure["file"])), category, stacklevel + 1)
