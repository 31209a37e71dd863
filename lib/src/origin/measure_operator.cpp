// Located operator dump → its tensors and the verdict on where the bad values come from.
#include <opdebug/origin.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "bytes/counted.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

bool is_error(const Diagnostic& diagnostic) {
    return diagnostic.severity == Severity::error;
}

/// The remarks on the operator's dump stand in the document of the overflow dump: they say which file they are about.
void add_remarks(const OpDump& op_dump, std::vector<Diagnostic>& diagnostics) {
    for (const Diagnostic& remark : op_dump.diagnostics) {
        diagnostics.push_back(
            {remark.severity, remark.code, fmt::format("operator dump {}: {}", op_dump.file, remark.message)});
    }
    const auto damaged = std::count_if(op_dump.tensors.begin(), op_dump.tensors.end(), [](const DumpedTensor& tensor) {
        return std::any_of(tensor.diagnostics.begin(), tensor.diagnostics.end(), is_error);
    });
    if (damaged != 0) {
        diagnostics.push_back({Severity::error, "op_dump_damaged",
                               fmt::format("values are missing in {} of the {} of the operator dump {}: the "
                                           "verdict is about those that are there",
                                           damaged, bytes::counted(op_dump.tensors.size(), "tensor"), op_dump.file)});
    }
}

void add_unreadable(const Error& error, std::vector<Diagnostic>& diagnostics) {
    Error place = error;
    place.file.clear();
    diagnostics.push_back({Severity::error, "op_dump_unreadable",
                           fmt::format("the operator dump {} cannot be measured: {} [{}]", error.file, to_string(place),
                                       to_string(error.code))});
}

}  // namespace

bool TensorEvidence::complete() const noexcept {
    return std::none_of(diagnostics.begin(), diagnostics.end(), is_error);
}

TensorEvidence measure_operator(const Location& location, const std::function<bool()>& stop, const Limits& limits) {
    TensorEvidence evidence;
    if (!location.op_dump) {
        evidence.diagnostics.push_back(
            {Severity::info, "no_op_dump",
             "no dump of the operator lies beside the overflow dump, so its values are not known"});
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
            evidence.diagnostics.push_back(
                {Severity::warning, "interrupted",
                 fmt::format("the operator dump {} was not measured: the program was stopped", located.file)});
        } else {
            add_unreadable(error, evidence.diagnostics);
        }
        return evidence;
    }
    evidence.origin = origin_of(*measured);
    add_remarks(*measured, evidence.diagnostics);
    if (located.equally_good != 0) {
        evidence.diagnostics.push_back(
            {Severity::warning, "op_dump_ambiguous",
             fmt::format("{} further operator dump{} fit{} as well; the tensors and the verdict are those of {}",
                         located.equally_good, located.equally_good == 1 ? "" : "s",
                         located.equally_good == 1 ? "s" : "", located.file)});
    }
    evidence.op_dump = std::move(measured).value();
    return evidence;
}

}  // namespace v0
}  // namespace opdebug
