"""The types of the documents (docs/json-output.md). They are dicts at run time; parts that are not told here are too."""

from typing import Any, Dict, List, Optional, TypedDict, Union


class Diagnostic(TypedDict):
    severity: str  # "info", "warning" or "error"
    code: str
    message: str


class Failure(TypedDict):
    """A file among the logs that could not be read."""

    file: Optional[str]
    code: str
    message: str
    offset: Optional[int]


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


class Evidence(TypedDict):
    kind: str
    file: str
    line: Optional[int]
    text: str


class Candidate(TypedDict):
    name: Optional[str]
    type: Optional[str]
    kernel: Optional[str]
    confidence: str
    evidence: List[Evidence]


class Operator(Candidate):
    candidates: List[Candidate]


class Model(TypedDict):
    name: Optional[str]
    runtime_id: Optional[int]
    ge_id: Optional[int]
    graph_id: Optional[int]
    evidence: List[Evidence]


class Origin(TypedDict):
    verdict: str
    because: str
    bad_input: bool
    bad_output: bool


class Location(TypedDict):
    """The part of the record document that tells the operator and its model."""

    operator: Optional[Operator]
    model: Optional[Model]
    diagnostics: List[Diagnostic]


class _RecordDocument(Location):
    schema: str
    file: str
    timestamp_us: Optional[int]
    name_ids: NameIds
    path_ids: PathIds
    container: Optional[str]
    payload: Optional[str]
    overflow: Optional[bool]
    records: List[Dict[str, Any]]


class RecordDocument(_RecordDocument, total=False):
    """opdebug.record/1: what one dump tells. The last two with `tensors` only."""

    tensors: List[Dict[str, Any]]
    origin: Optional[Origin]


class Cause(TypedDict):
    id: str
    bits: str
    name: str
    text: str
    advice: str
    source: str


class StatusDocument(TypedDict):
    """What a status says; lists of four for those of accelerator records of version 1."""

    unit: str
    status: Union[int, List[int]]
    status_hex: Union[str, List[str]]
    overflow: bool
    causes: List[Cause]
    undocumented_bits: Union[str, List[str]]
    diagnostics: List[Diagnostic]
