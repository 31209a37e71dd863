"""The dumps below some paths."""

import os
from typing import List, Optional

from . import native
from .arguments import Limits, Paths, given_paths
from .documents import FilesDocument
from .errors import ScanWarning, warn_of_failures
from .interruptible import interruptible


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
    document: FilesDocument = native.parsed(native.call_for_text(native.files_to_json, handle.pointer))
    warn_of_failures(document["failures"], ScanWarning, 2)
    # Of the paths the document knows text only.
    return [os.fsdecode(native.files_path(handle.pointer, index)) for index in range(len(document["files"]))]
