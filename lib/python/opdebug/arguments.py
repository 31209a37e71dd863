"""What callers give, in the form that the C functions take."""

import os
from typing import Any, Dict, Iterable, List, Literal, Mapping, Optional, Union

from .errors import Error
from .native import Options

# One path; bytes where names are not text. Of `source`, bytes are the content of a dump.
Path = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
Paths = Union[Path, Iterable[Path]]
Language = Literal["en", "zh"]
# A JSON document: docs/reference/json.md.
Document = Dict[str, Any]
# Names and values: docs/reference/commands.md, "Limits".
Limits = Mapping[str, int]


def path_bytes(path: Path) -> bytes:
    """The path as the system takes it. A NUL would cut it short."""
    encoded = os.fsencode(path)
    if not encoded:
        raise Error("invalid_argument", "the path is empty; that of a file or folder was expected")
    if b"\0" in encoded:
        raise ValueError("embedded null byte in a path")
    return encoded


def path_list(paths: Paths) -> List[bytes]:
    """One path or several, or none in an empty list."""
    if isinstance(paths, (str, bytes, os.PathLike)):
        return [path_bytes(paths)]
    try:
        several = iter(paths)
    except TypeError:
        raise TypeError(f"a path or a list of paths was expected, not {type(paths).__name__}") from None
    return [path_bytes(path) for path in several]


def given_paths(paths: Paths) -> List[bytes]:
    """The same where one at least is needed."""
    encoded = path_list(paths)
    if not encoded:
        raise Error("invalid_argument", "no path was given: the list of paths is empty")
    return encoded


def paths_option(paths: Optional[Paths]) -> Optional[List[bytes]]:
    """The paths as an option."""
    return None if paths is None else path_list(paths)


def decoding_options(
    tensors: bool,
    language: Language,
    status_catalogue: Optional[Paths],
    utc_offset_minutes: Optional[int],
    system_time_zone: bool,
    limits: Optional[Limits],
) -> Options:
    """What decode() and scan() have in common."""
    return Options(
        limits,
        tensors=tensors,
        language=language,
        status_catalogue=paths_option(status_catalogue),
        utc_offset_minutes=utc_offset_minutes,
        system_time_zone=system_time_zone,
    )
