"""Explains overflow dumps (OpDebug files) of Ascend NPUs.

    import opdebug
    print(opdebug.explain("Opdebug.Node_OpDebug.59.1597922031178434", logs="/root/ascend/log"))

Documents are plain dicts, equal to the JSON that the program `opdebug` writes (docs/reference/json.md). Every function may be
called from several threads at once, and leaves the interpreter to the others while it works.
"""

from .decoding import decode, decode_status, explain, locate
from .errors import Error, LogsWarning, ScanWarning
from .logs import Logs, read_logs
from .native import version
from .reporting import api_report, doctor, find, merge, scan, tensors

__version__ = version()

__all__ = [
    "Error",
    "Logs",
    "LogsWarning",
    "ScanWarning",
    "__version__",
    "api_report",
    "decode",
    "decode_status",
    "doctor",
    "explain",
    "find",
    "locate",
    "merge",
    "read_logs",
    "scan",
    "tensors",
]
