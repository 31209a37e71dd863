"""The types of the documents of a scan (docs/reference/json.md). They are dicts at run time."""

from typing import Any, Dict, List, Literal, Optional, TypedDict

from .api_documents import ApiCounts, ApiFinding
from .documents import Diagnostic, RecordDocument, ScanFailure, Verdict


class Counts(TypedDict):
    """What was found: dumps = overflowed + clean + failed."""

    dumps: int
    overflowed: int
    clean: int
    failed: int
    op_dumps: int
    other_files: int


class GroupKey(TypedDict):
    cause: str
    operator_type: Optional[str]
    operator: Optional[str]
    model: Optional[str]


class Group(TypedDict):
    """Overflows that have cause, operator type, operator and model in common."""

    by: GroupKey
    count: int
    ranks: List[int]
    devices: List[int]
    first: Optional[int]
    last: Optional[int]
    steps: List[int]
    bursts: int
    first_file: str
    remarks: List[Diagnostic]


class Verdicts(TypedDict):
    """How many dumps of a chain have which verdict."""

    born_here: int
    inherited: int
    not_visible: int
    not_measured: int


class ChainDump(TypedDict):
    position: int
    file: str
    timestamp_us: Optional[int]
    operator_type: Optional[str]
    operator: Optional[str]
    verdict: Optional[Verdict]
    bad_input: Optional[bool]
    bad_output: Optional[bool]
    op_dump: Literal["absent", "damaged", "whole"]


class BadDump(ChainDump):
    """A dump of a chain that is pointed out, with the reason."""

    because: str


class Chain(TypedDict):
    """The overflows of one step and place in the order of time."""

    step: Optional[int]
    rank: Optional[int]
    device_id: Optional[int]
    folder_time: Optional[str]
    model: Optional[str]
    count: int
    verdicts: Verdicts
    first: Optional[int]
    last: Optional[int]
    first_bad: Optional[BadDump]
    first_born_here: Optional[BadDump]
    inherited_after: int
    dumps: List[ChainDump]
    remarks: List[Diagnostic]


TieLevel = Literal["exact", "type_only", "rank_or_device_only"]


class ApiTie(TypedDict):
    """Which call an overflow belongs to, and how sure that is."""

    level: TieLevel
    api: Optional[str]
    position: Optional[int]
    step: Optional[int]
    rank: Optional[int]
    source_file: Optional[str]
    dump: str
    because: str


class ApiTimeline(TypedDict):
    """Calls that are findings and overflow dumps of one step and rank: entries of kind "api" and "dump"."""

    step: Optional[int]
    rank: Optional[int]
    entries: List[Dict[str, Any]]


class ScanApi(TypedDict):
    """What dumps of API calls show, and their ties to overflow dumps."""

    counts: ApiCounts
    first: List[ApiFinding]
    findings: List[ApiFinding]
    failures: List[ScanFailure]
    diagnostics: List[Diagnostic]
    ties: List[ApiTie]
    timeline: List[ApiTimeline]


class _Report(TypedDict):
    schema: str
    generated_by: str
    inputs: List[str]
    counts: Counts
    first: Optional[RecordDocument]
    groups: List[Group]
    timeline: List[RecordDocument]
    api: Optional[ScanApi]
    failures: List[ScanFailure]
    diagnostics: List[Diagnostic]
    complete: bool


class ReportDocument(_Report, total=False):
    """opdebug.report/1: what a scan found. `chains` with `tensors` only."""

    chains: List[Chain]
    training: Dict[str, Any]
