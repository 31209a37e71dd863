"""The types of documents are those of the schemas, and the package is whole."""

import inspect
import json
import pathlib
import re
import subprocess
import typing

import pytest
from conftest import SOURCE

import opdebug

SCHEMAS = SOURCE / "lib/data/schema"


def schema(name):
    return json.loads((SCHEMAS / name).read_text())


def check_keys(type_, file, part):
    """The type's keys, and those that are always there, are the schema's."""
    described = schema(file)
    for name in part:
        described = described[name]
    assert set(type_.__annotations__) == set(described["properties"])
    assert type_.__required_keys__ == set(described["required"])


@pytest.mark.parametrize(
    "type_, part",
    [
        (opdebug.RecordDocument, []),
        (opdebug.NameIds, ["properties", "name_ids"]),
        (opdebug.PathIds, ["properties", "path_ids"]),
        (opdebug.Operator, ["$defs", "operator"]),
        (opdebug.Candidate, ["$defs", "candidate"]),
        (opdebug.Model, ["$defs", "model"]),
        (opdebug.Evidence, ["$defs", "evidence", "items"]),
        (opdebug.Origin, ["$defs", "origin"]),
        (opdebug.Diagnostic, ["$defs", "diagnostic"]),
        (opdebug.Cause, ["$defs", "cause"]),
        (opdebug.Tensor, ["$defs", "tensor"]),
    ],
)
def test_keys_of_the_record_document(type_, part):
    check_keys(type_, "record.schema.json", part)


@pytest.mark.parametrize(
    "type_, part",
    [
        (opdebug.ReportDocument, []),
        (opdebug.Counts, ["$defs", "counts"]),
        (opdebug.Group, ["$defs", "group"]),
        (opdebug.GroupKey, ["$defs", "group", "properties", "by"]),
        (opdebug.Chain, ["$defs", "chain"]),
        (opdebug.Verdicts, ["$defs", "chain", "properties", "verdicts"]),
        (opdebug.ChainDump, ["$defs", "chain_dump"]),
        (opdebug.BadDump, ["$defs", "pointed_out_dump"]),
        (opdebug.ScanApi, ["$defs", "api"]),
        (opdebug.ApiTie, ["$defs", "tie"]),
        (opdebug.ApiTimeline, ["$defs", "api_timeline"]),
        (opdebug.ScanFailure, ["$defs", "failures", "items"]),
    ],
)
def test_keys_of_the_report(type_, part):
    check_keys(type_, "report.schema.json", part)


@pytest.mark.parametrize(
    "type_, part",
    [
        (opdebug.ApiReportDocument, []),
        (opdebug.ApiCounts, ["properties", "counts"]),
        (opdebug.ApiFinding, ["$defs", "finding"]),
        (opdebug.ApiValue, ["$defs", "value"]),
    ],
)
def test_keys_of_the_report_on_api_dumps(type_, part):
    check_keys(type_, "api-report.schema.json", part)


@pytest.mark.parametrize(
    "type_, key, part",
    [
        (opdebug.ApiFinding, "source", "finding"),
        (opdebug.ApiFinding, "verdict", "finding"),
        (opdebug.ApiValue, "kind", "value"),
        (opdebug.ApiValue, "state", "value"),
    ],
)
def test_listed_values_of_the_report_on_api_dumps(type_, key, part):
    described = schema("api-report.schema.json")["$defs"][part]["properties"][key]
    assert list(typing.get_args(typing.get_type_hints(type_)[key])) == described["enum"]


def test_keys_of_found_files():
    check_keys(opdebug.documents.FilesDocument, "files.schema.json", [])


def test_keys_of_records():
    units = schema("record.schema.json")["$defs"]
    described = [units[part["$ref"].rsplit("/", 1)[1]] for part in units["record"]["oneOf"]]
    for unit in described:
        assert set(unit["required"]) == set(unit["properties"])
    assert set(opdebug.Record.__annotations__) == set().union(*(unit["required"] for unit in described))
    assert opdebug.Record.__required_keys__ == set.intersection(*(set(unit["required"]) for unit in described))


@pytest.mark.parametrize(
    "type_, key, part",
    [
        (opdebug.Diagnostic, "severity", ["diagnostic", "properties", "severity"]),
        (opdebug.Record, "unit", ["unit"]),
        (opdebug.Evidence, "kind", ["evidence", "items", "properties", "kind"]),
        (opdebug.Operator, "confidence", ["confidence"]),
        (opdebug.Tensor, "kind", ["tensor", "properties", "kind"]),
        (opdebug.Origin, "verdict", ["verdict"]),
    ],
)
def test_values_that_are_listed(type_, key, part):
    described = schema("record.schema.json")["$defs"]
    for name in part:
        described = described[name]
    assert list(typing.get_args(typing.get_type_hints(type_)[key])) == described["enum"]


def test_units_and_languages_are_those_of_the_library():
    for unit in typing.get_args(opdebug.StatusUnit):
        assert opdebug.decode_status(unit, 0)["unit"] in typing.get_args(opdebug.Unit)
    with pytest.raises(opdebug.Error) as caught:
        opdebug.decode_status("none", 0)
    told = re.search("unit: (.*) was expected", caught.value.message).group(1)
    assert re.split(", | or ", told) == list(typing.get_args(opdebug.StatusUnit))
    for language in typing.get_args(opdebug.Language):
        opdebug.decode_status("sdma", 1, language=language)


def test_keys_of_other_documents():
    status = schema("status.schema.json")["items"]
    assert set(opdebug.StatusDocument.__annotations__) == set(status["properties"]) == set(status["required"])
    check_keys(opdebug.TensorsDocument, "tensors.schema.json", [])
    check_keys(opdebug.DoctorDocument, "doctor.schema.json", [])
    check_keys(opdebug.DoctorFinding, "doctor.schema.json", ["properties", "findings", "items"])
    check_keys(opdebug.DoctorCounts, "doctor.schema.json", ["properties", "counts"])
    failure = schema("logs.schema.json")["$defs"]["failure"]
    assert set(opdebug.Failure.__annotations__) == set(failure["properties"]) == set(failure["required"])


def test_everything_public_has_types_and_words():
    for name in set(opdebug.__all__) - {"__version__"}:
        public = getattr(opdebug, name)
        if inspect.isfunction(public):
            assert public.__doc__
            signature = inspect.signature(public)
            assert signature.return_annotation is not inspect.Signature.empty
            assert all(given.annotation is not inspect.Parameter.empty for given in signature.parameters.values())


def test_the_version_is_the_projects():
    text = (SOURCE / "CMakeLists.txt").read_text()
    assert opdebug.__version__ == re.search(r"project\(opdebug VERSION ([0-9.]+)", text).group(1)


def test_the_package_is_whole():
    built = pathlib.Path(opdebug.__file__).parent
    source = SOURCE / "lib/python/opdebug"
    for file in source.glob("*.py*"):
        assert (built / file.name).read_bytes() == file.read_bytes()
    assert (built / "py.typed").exists()


def test_the_native_object_shows_the_c_functions_only():
    shown = subprocess.run(
        ["nm", "-D", "--defined-only", pathlib.Path(opdebug.__file__).parent / "_native.so"],
        capture_output=True,
        check=True,
        text=True,
    )
    names = {line.split()[-1] for line in shown.stdout.splitlines()}
    header = (SOURCE / "lib/include/opdebug/opdebug.h").read_text()
    assert names == set(re.findall(r"^OPDEBUG_API [^(]*?(opdebug_[a-z_]+)\(", header, re.MULTILINE))
