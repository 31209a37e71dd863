"""The types of the documents (docs/reference/json.md), those of scans excepted. They are dicts at run time."""

from typing import Any, Dict, List, Literal, Optional, TypedDict, Union

Language = Literal["en", "zh"]
StatusUnit = Literal["ai-core", "dha-atomic", "l2-atomic", "aic", "aiv", "aicpu", "sdma"]  # as decode_status() takes it
Unit = Literal["DHA Atomic Add", "L2 Atomic Add", "AI Core", "AIC", "AIV", "AICPU", "SDMA"]  # as documents name it
Verdict = Literal["born_here", "inherited", "not_visible"]


class _Diagnostic(TypedDict):
    severity: Literal["info", "warning", "error"]
    code: str
    message: str


class Diagnostic(_Diagnostic, total=False):
    message_zh: str


class Failure(TypedDict):
    """A file among the logs that could not be read."""

    file: Optional[str]
    code: str
    message: str
    offset: Optional[int]


class ScanFailure(TypedDict):
    """A dump, path or folder that could not be read; the message begins with the place in the file."""

    file: str
    code: str
    message: str


class FilesDocument(TypedDict):
    """opdebug.files/1: the dumps below some paths. As text: find() gives what can be opened."""

    schema: str
    files: List[str]
    failures: List[ScanFailure]
    diagnostics: List[Diagnostic]


class NameIds(TypedDict):
    task_id: Optional[int]
    stream_id: Optional[int]
    context_id: Optional[int]
    thread_id: Optional[int]


class PathIds(TypedDict):
    time: Optional[str]
    device_id: Optional[int]
    model_name: Optional[str]
    model_id: Optional[int]
    data_index: Optional[int]
    rank: Optional[int]


class Cause(TypedDict):
    id: str
    bits: str
    name: str
    text: str
    advice: str
    source: str


class _Record(TypedDict):
    unit: Unit
    overflow: bool
    model_id: int
    stream_id: int
    task_id: int
    task_type: int
    status: Union[int, List[int]]
    status_hex: Union[str, List[str]]
    causes: List[Cause]
    undocumented_bits: Union[str, List[str]]


class Record(_Record, total=False):
    """What one unit recorded. The keys here are those of some units only."""

    pc_start: str  # DHA, L2, AI Core, AIC, AIV
    para_base: str  # likewise
    kernel_code: str  # AI Core
    block_idx: int  # AI Core
    context_id: int  # AIC, AIV, AICPU, SDMA
    thread_id: int  # likewise
    core_id: int  # AIC, AIV
    block_id: int  # AIC, AIV
    cpu_id: int  # AICPU
    src_addr: str  # SDMA
    dst_addr: str  # SDMA
    channel_id: int  # SDMA


class Evidence(TypedDict):
    kind: Literal["op_dump", "ge_log", "runtime_log", "device_log", "task_map"]
    file: str
    line: Optional[int]
    text: str


class Candidate(TypedDict):
    name: Optional[str]
    type: Optional[str]
    kernel: Optional[str]
    confidence: Literal["exact", "kernel", "type"]
    evidence: List[Evidence]


class Operator(Candidate):
    candidates: List[Candidate]


class Model(TypedDict):
    name: Optional[str]
    runtime_id: Optional[int]
    ge_id: Optional[int]
    graph_id: Optional[int]
    evidence: List[Evidence]


class Tensor(TypedDict):
    """An input or output of the operator, measured."""

    kind: Literal["input", "output"]
    index: int
    dtype: str
    format: str
    shape: List[int]
    elements: int
    max: Optional[float]
    min: Optional[float]
    mean: Optional[float]
    nan: Optional[int]
    pos_inf: Optional[int]
    neg_inf: Optional[int]
    saturated: Optional[int]
    subnormal: Optional[int]
    zero: Optional[int]
    diagnostics: List[Diagnostic]


class Origin(TypedDict):
    verdict: Verdict
    because: str
    bad_input: bool
    bad_output: bool


class Location(TypedDict):
    """The part of the record document about operator and model."""

    operator: Optional[Operator]
    model: Optional[Model]
    diagnostics: List[Diagnostic]


class _RecordDocument(Location):
    schema: str
    file: str
    host: Optional[str]
    rank: Optional[int]
    timestamp_us: Optional[int]
    utc_offset_minutes: Optional[int]
    name_ids: NameIds
    path_ids: PathIds
    container: Optional[Literal["dump_data_v2", "dump_data_v1", "nano"]]
    payload: Optional[Literal["legacy", "accelerator"]]
    overflow: Optional[bool]
    records: List[Record]


class RecordDocument(_RecordDocument, total=False):
    """opdebug.record/1: one decoded dump. `tensors` and `origin` with `tensors` only; `item` in the lines of a report."""

    tensors: List[Tensor]
    origin: Optional[Origin]
    item: Dict[str, Any]
    training_step: Dict[str, Any]


class TensorsDocument(TypedDict):
    """opdebug.tensors/1: the inputs and outputs of an operator's own dump."""

    schema: str
    file: str
    op_type: Optional[str]
    op_name: Optional[str]
    task_id: Optional[int]
    stream_id: Optional[int]
    timestamp_us: Optional[int]
    tensors: List[Tensor]
    diagnostics: List[Diagnostic]


class DoctorCounts(TypedDict):
    dumps: int
    op_dumps: int
    logs: int
    api_dumps: int
    settings: int


class DoctorFinding(TypedDict):
    """What is missing, and the setting to change."""

    severity: Literal["error", "warning", "info"]
    code: str
    message: str
    message_zh: str
    setting: Optional[str]
    source: str
    path: Optional[str]


class DoctorDocument(TypedDict):
    """opdebug.doctor/1: what dumps, logs and settings lack."""

    schema: str
    paths: List[str]
    environment_examined: bool
    counts: DoctorCounts
    findings: List[DoctorFinding]
    complete: bool


class StatusDocument(TypedDict):
    """What a status says; lists of four for those of accelerator records of version 1."""

    unit: str
    status: Union[int, List[int]]
    status_hex: Union[str, List[str]]
    overflow: bool
    causes: List[Cause]
    undocumented_bits: Union[str, List[str]]
    diagnostics: List[Diagnostic]
