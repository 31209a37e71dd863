// Located operator dump → its tensors and the verdict on where the bad values come from.
#include <opdebug/tensor.hpp>

#include <algorithm>
#include <utility>

#include "remarks/diagnose.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

bool is_error(const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::error;
}

/// Adds the remarks on the operator dump to the document of the overflow dump. Each names the file.
void add_remarks(const OpDump& op_dump, std::vector<Diagnostic>& diagnostics) {
    for (const Diagnostic& remark : op_dump.diagnostics) {
        diagnostics.push_back(remarks::begin_with(remarks::phrase("operator_dump", {{"file", op_dump.file}}), remark));
    }
    const auto damaged = std::count_if(op_dump.tensors.begin(), op_dump.tensors.end(), [](const DumpedTensor& tensor) {
        return std::any_of(tensor.diagnostics.begin(), tensor.diagnostics.end(), is_error);
    });
    if (damaged != 0) {
        diagnostics.push_back(remarks::diagnose(
            "op_dump_damaged", {{"count", damaged}, {"tensors", op_dump.tensors.size()}, {"file", op_dump.file}}));
    }
}

void add_unreadable(const Error& error, std::vector<Diagnostic>& diagnostics) {
    Error place = error;
    place.file.clear();
    diagnostics.push_back(
        remarks::diagnose("op_dump_unreadable",
                          {{"file", error.file}, {"error", remarks::text_of(place)}, {"code", to_string(error.code)}}));
}

}  // namespace

bool TensorEvidence::complete() const noexcept {
    return std::none_of(diagnostics.begin(), diagnostics.end(), is_error);
}

TensorEvidence measure_operator(const Location& location, const std::function<bool()>& stop, const Limits& limits) {
    TensorEvidence evidence;
    if (!location.op_dump) {
        evidence.diagnostics.push_back(remarks::diagnose("no_op_dump"));
        return evidence;
    }
    const LocatedOpDump& located = *location.op_dump;
    OpDumpOptions options;
    options.real_name = located.real_name;
    options.stop = stop;
    options.limits = limits;
    Result<OpDump> measured = located.tensor_files.empty() ? measure_op_dump(located.file, options)
                                                           : measure_npy_files(located.tensor_files, options);
    if (!measured) {
        evidence.interrupted = measured.error().code == ErrorCode::interrupted;
        Error error = measured.error();
        error.file = located.file;
        if (evidence.interrupted) {
            evidence.diagnostics.push_back(remarks::diagnose("interrupted.op_dump", {{"file", located.file}}));
        } else {
            add_unreadable(error, evidence.diagnostics);
        }
        return evidence;
    }
    evidence.origin = origin_of(*measured);
    add_remarks(*measured, evidence.diagnostics);
    if (located.equally_good != 0) {
        evidence.diagnostics.push_back(
            remarks::diagnose("op_dump_ambiguous", {{"count", located.equally_good}, {"file", located.file}}));
    }
    evidence.op_dump = std::move(measured).value();
    return evidence;
}

}  // namespace v0
}  // namespace opdebug
