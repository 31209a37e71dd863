"""The types of the report on API dumps (docs/reference/json.md). They are dicts at run time."""

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

from .documents import Diagnostic, ScanFailure

# "nan", "inf" and "-inf", for which JSON has no numbers.
_Extreme = Union[float, Literal["nan", "inf", "-inf"], None]


class ApiCounts(TypedDict):
    files: int
    entries: int
    steps: int
    ranks: int
    failed: int


class ApiValue(TypedDict):
    """A bad value of a call."""

    kind: Literal["input", "kwargs", "parameters", "output"]
    index: str
    dtype: Optional[str]
    shape: List[int]
    max: _Extreme
    min: _Extreme
    state: Literal["unknown", "clean", "near_limit", "limit", "inf", "nan"]


class ApiFinding(TypedDict):
    """A call that is not clean."""

    source: Literal["msprobe", "ptdbg", "statistic_csv"]
    step: Optional[int]
    rank: Optional[int]
    api: str
    position: int
    verdict: Literal[
        "born_here", "inherited", "absorbed", "weight", "saturated", "in_collective", "process", "deliberate", "unknown"
    ]
    because: str
    because_zh: str
    tensors: List[ApiValue]
    stack: List[str]
    file: str
    diagnostics: List[Diagnostic]


class ApiReportDocument(TypedDict):
    """opdebug.api_report/1: which calls made the first bad values."""

    schema: str
    inputs: List[str]
    counts: ApiCounts
    first: List[ApiFinding]
    findings: List[ApiFinding]
    bench: Optional[Dict[str, Any]]  # None: the command api --bench compares, this module does not
    failures: List[ScanFailure]
    diagnostics: List[Diagnostic]
