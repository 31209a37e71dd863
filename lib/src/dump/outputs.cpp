#include "dump/outputs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "bytes/counted.hpp"
#include "bytes/little_endian.hpp"
#include "bytes/passed_limit.hpp"
#include "container/overflow_node.hpp"
#include "dump/declared_sizes.hpp"
#include "dump/header_names.hpp"
#include "record/payload.hpp"

namespace opdebug::dump_stage {
namespace {

constexpr std::uint64_t kRecordDataType = 4;  // the same number in DumpData's and in nano's list
constexpr std::uint64_t kPayloadSize = 2048;

/// By what the header says; by the shape of the only output when it says nothing; by the name when neither does.
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
            fmt::format("this is the dump of operator {} ({}, {}), not an overflow dump: a file called "
                        "Opdebug.Node_OpDebug... or a header with op_name Node_OpDebug was expected ('opdebug tensors' "
                        "reads operators' dumps)",
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
                        "the header declares the payload ({} bytes) as an input; overflow dumps hold it as output 0",
                        input.size),
                    {},
                    input.offset};
        }
    }
    return {ErrorCode::no_output,
            "the header declares no output: one output of 2048 bytes was expected",
            {},
            contents.data_begin};
}

Result<DecodedPayload> decode_output(Bytes bytes, const container::Tensor& output, const StatusCatalogue& catalogue,
                                     RecordBudget& budget, Dump& dump) {
    const std::uint64_t size = payload_size(output);
    if (size == 0) {
        return Error{ErrorCode::payload_missing,
                     fmt::format("output {} declares no bytes: a payload was expected", output.index),
                     {},
                     output.offset};
    }
    if (output.offset >= bytes.size()) {
        return Error{ErrorCode::payload_missing,
                     fmt::format("the payload is missing: output {} has {} from byte {}, the dump ends at byte {}",
                                 output.index, bytes::counted(size, "byte"), output.offset, bytes.size()),
                     {},
                     bytes.size()};
    }
    const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(size, bytes.size()));
    const Bytes payload = bytes.slice(static_cast<std::size_t>(output.offset), count);
    const std::uint64_t one_more = bytes::checked_add(budget.left, 1).value_or(budget.left);  // to know that there is
    Result<DecodedPayload> decoded =
        record::decode_payload(payload, {output.offset, size, one_more}, catalogue, dump.diagnostics);
    if (!decoded) {
        return decoded;
    }
    decoded->output_index = output.index;
    keep_within(budget, *decoded);
    const bool is_cut = payload.size() < size;  // which is told with the record
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
        dump.diagnostics.push_back({Severity::error, std::string(to_string(fault.code)), to_string(fault)});
    }
    if (faults.count > faults.listed.size()) {
        dump.diagnostics.push_back(
            {Severity::error, "further_faults",
             fmt::format("{} further {} could not be decoded either", faults.count - faults.listed.size(), parts)});
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
    dump.diagnostics.push_back(
        {Severity::error, std::string(to_string(ErrorCode::too_many_records)),
         fmt::format("the file holds more than {} records, the others are left out; {}", budget.limits.records,
                     bytes::passed_limit(budget.limits, &Limits::records))});
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
