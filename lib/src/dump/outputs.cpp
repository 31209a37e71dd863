// Outputs of a container → payloads, with the header checked against the bytes.
#include "dump/outputs.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include <opdebug/result.hpp>

#include "bytes/counted.hpp"
#include "bytes/little_endian.hpp"
#include "bytes/passed_limit.hpp"
#include "bytes/utf8.hpp"
#include "container/container.hpp"
#include "container/shape.hpp"
#include "record/payload.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::dump_stage {
namespace {

/// Location of the first character that is no UTF-8.
std::optional<std::size_t> broken_character(std::string_view text) {
    for (std::size_t position = 0; position < text.size();) {
        const bytes::Utf8Sequence character = bytes::utf8_sequence(text, position);
        if (!character.valid) {
            return position;
        }
        position += character.length;
    }
    return std::nullopt;
}

/// Returns true if there is nothing to report. `what` names the name; it is called only for a report.
template <class What>
bool is_sound(std::string_view name, const What& what, std::vector<Diagnostic>& diagnostics) {
    const auto place = broken_character(name);
    if (place) {
        diagnostics.push_back(remarks::diagnose(
            "name_not_utf8", {{"place", *place},
                              {"byte", fmt::format("0x{:02x}", static_cast<unsigned char>(name[*place]))},
                              {"name", what()}}));
    }
    return !place;
}

/// Adds an error name_not_utf8 for the first name that is no UTF-8, which protobuf strings require. The official
/// converter rejects such a header (msaccucmp, error 11). If its sizes fit, the payload is still usable.
void report_broken_name(const container::Contents& contents, std::vector<Diagnostic>& diagnostics) {
    if (!is_sound(
            contents.op_name,
            [] {
                return LocalizedText{"op_name", "op_name"};
            },
            diagnostics)) {
        return;
    }
    for (const container::Tensor& output : contents.outputs) {
        const auto what = [&output] { return remarks::phrase("original_name_of_output", {{"index", output.index}}); };
        if (!is_sound(output.original_op_name, what, diagnostics)) {
            return;
        }
    }
}

constexpr std::uint64_t kUint8DataType = 4;  // the same number in DumpData's and in nano's list

/// Payload size of an output. The official converter keeps at most product(dims) bytes of a UINT8 output; this function
/// does the same, for equal text.
std::uint64_t payload_size(const container::Tensor& output) {
    if (output.data_type != kUint8DataType || output.dims.empty()) {
        return output.size;
    }
    const std::optional<std::uint64_t> product = container::elements_of_shape(output.dims);
    return product && *product != 0 ? std::min(*product, output.size) : output.size;
}
/// Compares the declared size of a complete payload with its shape and with the bytes. Larger than the bytes: error
/// payload_size, returns false. Larger than the shape: a warning, because the official converter decodes such files
/// correctly. `end`: end of the dump in the file.

bool check_declared_size(const container::Tensor& output, std::uint64_t end, std::vector<Diagnostic>& diagnostics) {
    const std::uint64_t read = payload_size(output);
    const std::uint64_t there = std::min(output.size, end - std::min(output.offset, end));
    if (output.declared_size > there) {
        diagnostics.push_back(remarks::diagnose("payload_size.cut", {{"index", output.index},
                                                                     {"size", output.declared_size},
                                                                     {"place", output.offset},
                                                                     {"there", there},
                                                                     {"read", read}}));
        return false;
    }
    const bool differs = output.declared_size != 0 && output.declared_size != output.size;  // v1 only
    if (output.size > read || differs) {
        diagnostics.push_back(remarks::diagnose(
            "payload_size",
            {{"index", output.index}, {"size", output.declared_size}, {"there", output.size}, {"read", read}}));
    }
    return true;
}
/// Checks that buffers and workspaces after the outputs are complete. Otherwise adds the error tensors_beyond_file and
/// returns false.

bool check_further_sizes(const container::Contents& contents, std::uint64_t end, std::vector<Diagnostic>& diagnostics) {
    const container::Tensor& last = contents.outputs.back();
    if (contents.end <= end || last.offset > end || last.size > end - last.offset) {
        return true;  // complete, or an output is truncated and reported itself
    }
    diagnostics.push_back(remarks::diagnose("tensors_beyond_file.buffers", {{"end", contents.end}, {"file_end", end}}));
    return false;
}
/// Checks the bytes after the fields of a v1 message. Bytes that are no field: error header_malformed, returns false. A
/// message has no length, so the damage may also be after its end.

bool check_end_of_message(const container::Contents& contents, std::uint64_t end,
                          std::vector<Diagnostic>& diagnostics) {
    if (!contents.rest_fault) {
        return true;
    }
    diagnostics.push_back(remarks::diagnose(
        "header_malformed.rest",
        {{"error", remarks::text_of(*contents.rest_fault)}, {"end", contents.end}, {"count", end - contents.end}}));
    return false;
}

constexpr std::uint64_t kRecordDataType = 4;  // the same number in DumpData's and in nano's list
constexpr std::uint64_t kPayloadSize = 2048;

/// Decides by the header, then by the shape of the only output, then by the name.
bool is_overflow_dump(const container::Contents& contents, const Dump& dump) {
    if (container::header_names_overflow_dump(contents)) {
        return true;
    }
    if (dump.name) {
        return dump.name->is_overflow_dump;
    }
    return contents.op_name.empty() && contents.outputs.size() == 1 && contents.outputs[0].size == kPayloadSize &&
           contents.outputs[0].data_type == kRecordDataType;
}

Error not_an_overflow_dump(const container::Contents& contents, const Dump& dump) {
    const std::string whose = !contents.op_name.empty() ? contents.op_name
                              : dump.name               ? dump.name->op_name
                                                        : "an unnamed operator";
    return {ErrorCode::not_an_overflow_dump,
            fmt::format("this is a dump of operator {} ({}, {}), not an overflow dump: read it with 'opdebug tensors'. "
                        "Overflow dumps are named Opdebug.Node_OpDebug..., or their header has op_name Node_OpDebug",
                        whose, bytes::counted(contents.inputs.size(), "input"),
                        bytes::counted(contents.outputs.size(), "output")),
            {},
            std::nullopt};
}

Error no_output(const container::Contents& contents) {
    for (const container::Tensor& input : contents.inputs) {
        if (input.size != 0) {
            return {ErrorCode::payload_is_input,
                    fmt::format(
                        "the header declares the payload ({} bytes) as an input, but in overflow dumps it is output 0",
                        input.size),
                    {},
                    input.offset};
        }
    }
    return {ErrorCode::no_output,
            "the header declares no output: expected one output of 2048 bytes",
            {},
            contents.data_begin};
}

Result<DecodedPayload> decode_output(Bytes bytes, const container::Tensor& output, const StatusCatalogue& catalogue,
                                     RecordBudget& budget, Dump& dump) {
    const std::uint64_t size = payload_size(output);
    if (size == 0) {
        return Error{ErrorCode::payload_missing,
                     fmt::format("output {} declares no bytes: the payload is missing", output.index),
                     {},
                     output.offset};
    }
    if (output.offset >= bytes.size()) {
        return Error{ErrorCode::payload_missing,
                     fmt::format("the payload is missing: output {} has {} from byte {}, but the dump ends at byte {}",
                                 output.index, bytes::counted(size, "byte"), output.offset, bytes.size()),
                     {},
                     bytes.size()};
    }
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(size, bytes.size()));
    const Bytes payload = bytes.slice(static_cast<std::size_t>(output.offset), count);
    const std::uint64_t one_more = bytes::checked_add(budget.left, 1).value_or(budget.left);  // detects that there is
    Result<DecodedPayload> decoded =
        record::decode_payload(payload, {output.offset, size, one_more}, catalogue, dump.diagnostics);
    if (!decoded) {
        return decoded;
    }
    decoded->output_index = output.index;
    keep_within(budget, *decoded);
    const bool is_cut = payload.size() < size;  // reported with the record
    const bool is_there = is_cut || check_declared_size(output, bytes.size(), dump.diagnostics);
    dump.records_missing = dump.records_missing || !decoded->complete || !is_there;
    return decoded;
}

}  // namespace

void add_fault(PartFaults& faults, const Error& fault) {
    if (faults.count < kListedFaults) {
        faults.listed.push_back(fault);
    }
    ++faults.count;
}

void report_faults(const PartFaults& faults, std::string_view parts, Dump& dump) {
    dump.records_missing = dump.records_missing || faults.count != 0;
    for (const Error& fault : faults.listed) {
        dump.diagnostics.push_back(remarks::diagnose(fault));
    }
    if (faults.count > faults.listed.size()) {
        dump.diagnostics.push_back(remarks::diagnose(
            "further_faults", {{"count", faults.count - faults.listed.size()}, {"parts", remarks::phrase(parts)}}));
    }
}

void keep_within(RecordBudget& budget, DecodedPayload& payload) {
    if (payload.records.size() > budget.left) {
        payload.records.erase(payload.records.begin() + static_cast<std::ptrdiff_t>(budget.left),
                              payload.records.end());
        payload.complete = false;
        budget.passed = true;
    }
    budget.left -= payload.records.size();
}

void report_left_out(const RecordBudget& budget, Dump& dump) {
    if (!budget.passed) {
        return;
    }
    dump.records_missing = true;
    dump.diagnostics.push_back(remarks::diagnose(
        "too_many_records",
        {{"limit", budget.limits.records}, {"hint", remarks::passed_limit(budget.limits, &Limits::records)}}));
}

std::optional<Error> decode_outputs(Bytes bytes, const container::Contents& contents, const StatusCatalogue& catalogue,
                                    RecordBudget& budget, Dump& dump) {
    if (!is_overflow_dump(contents, dump)) {
        return not_an_overflow_dump(contents, dump);
    }
    if (contents.outputs.empty()) {
        return no_output(contents);
    }
    PartFaults faults;
    for (const container::Tensor& output : contents.outputs) {
        if (budget.left == 0) {
            budget.passed = true;
            break;
        }
        Result<DecodedPayload> payload = decode_output(bytes, output, catalogue, budget, dump);
        if (!payload) {
            add_fault(faults, payload.error());
            continue;
        }
        dump.payloads.push_back(std::move(payload).value());
    }
    if (dump.payloads.empty() && faults.count != 0) {
        return faults.listed.front();
    }
    report_faults(faults, "outputs", dump);
    report_broken_name(contents, dump.diagnostics);
    const bool is_whole = check_further_sizes(contents, bytes.size(), dump.diagnostics) &&
                          check_end_of_message(contents, bytes.size(), dump.diagnostics);
    dump.records_missing = dump.records_missing || !is_whole;
    return std::nullopt;
}

std::size_t end_of(const container::Contents& contents, Bytes bytes) {
    const std::uint64_t end = contents.rest_fault ? bytes.size() : contents.end;
    return static_cast<std::size_t>(std::min<std::uint64_t>(end, bytes.size()));
}

}  // namespace opdebug::dump_stage
