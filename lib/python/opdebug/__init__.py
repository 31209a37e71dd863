"""Explains overflow dumps (OpDebug files) of Ascend NPUs.

    import opdebug
    record = opdebug.decode("Opdebug.Node_OpDebug.59.1597922031178434", logs="/root/ascend/log")
    print(record["operator"], record["model"])

Documents are plain dicts, equal to the JSON that the program `opdebug` writes (docs/json-output.md). Every function may be
called from several threads at once, and leaves the interpreter to the others while it works.
"""

from .decoding import decode, decode_status, locate
from .documents import (
    Candidate,
    Cause,
    Diagnostic,
    Evidence,
    Failure,
    Location,
    Model,
    NameIds,
    Operator,
    Origin,
    PathIds,
    RecordDocument,
    StatusDocument,
)
from .errors import Error, LogsWarning
from .logs import Logs, read_logs
from .native import version
from .scanning import Scan, scan

__version__ = version()

__all__ = [
    "Candidate",
    "Cause",
    "Diagnostic",
    "Error",
    "Evidence",
    "Failure",
    "Location",
    "Logs",
    "LogsWarning",
    "Model",
    "NameIds",
    "Operator",
    "Origin",
    "PathIds",
    "RecordDocument",
    "Scan",
    "StatusDocument",
    "__version__",
    "decode",
    "decode_status",
    "locate",
    "read_logs",
    "scan",
]
