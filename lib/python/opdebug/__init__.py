"""Explains overflow dumps (OpDebug files) of Ascend NPUs.

    import opdebug
    print(opdebug.explain("Opdebug.Node_OpDebug.59.1597922031178434", logs="/root/ascend/log"))

Documents are plain dicts, equal to the JSON that the program `opdebug` writes (docs/reference/json.md). Every function may be
called from several threads at once, and leaves the interpreter to the others while it works.
"""

from .api_documents import ApiCounts, ApiFinding, ApiReportDocument, ApiValue
from .decoding import decode, decode_status, explain, locate
from .documents import (
    Candidate,
    Cause,
    Diagnostic,
    DoctorCounts,
    DoctorDocument,
    DoctorFinding,
    Evidence,
    Failure,
    Language,
    Location,
    Model,
    NameIds,
    Operator,
    Origin,
    PathIds,
    Record,
    RecordDocument,
    ScanFailure,
    StatusDocument,
    StatusUnit,
    Tensor,
    TensorsDocument,
    Unit,
    Verdict,
)
from .errors import Error, LogsWarning, ScanWarning
from .finding import find
from .logs import Logs, read_logs
from .native import version
from .report_documents import (
    ApiTie,
    ApiTimeline,
    BadDump,
    Chain,
    ChainDump,
    Counts,
    Group,
    GroupKey,
    ReportDocument,
    ScanApi,
    Verdicts,
)
from .reporting import api_report, doctor, merge, scan, tensors

__version__ = version()

__all__ = [
    "ApiCounts",
    "ApiFinding",
    "ApiReportDocument",
    "ApiTie",
    "ApiTimeline",
    "ApiValue",
    "BadDump",
    "Candidate",
    "Cause",
    "Chain",
    "ChainDump",
    "Counts",
    "Diagnostic",
    "DoctorCounts",
    "DoctorDocument",
    "DoctorFinding",
    "Error",
    "Evidence",
    "Failure",
    "Group",
    "GroupKey",
    "Language",
    "Location",
    "Logs",
    "LogsWarning",
    "Model",
    "NameIds",
    "Operator",
    "Origin",
    "PathIds",
    "Record",
    "RecordDocument",
    "ReportDocument",
    "ScanApi",
    "ScanFailure",
    "ScanWarning",
    "StatusDocument",
    "StatusUnit",
    "Tensor",
    "TensorsDocument",
    "Unit",
    "Verdict",
    "Verdicts",
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
