// Converted JSON → the same decoded dump that the binary gives, as far as the JSON tells it.
#include "dump/converted.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "bytes/file.hpp"
#include "bytes/passed_limit.hpp"
#include "bytes/utf8.hpp"
#include "dump/converted_payload.hpp"
#include "dump/dump.hpp"
#include "dump/outputs.hpp"
#include "record/payload.hpp"
#include "tree/converted_name.hpp"
#include "tree/path_ids.hpp"

namespace opdebug::dump_stage {
namespace {

std::uint64_t output_index_of(const std::string& file) {
    const auto name = tree::parse_converted_name(file_name_of(file));
    return name ? name->output_index : 0;
}

void drop_missing_units(const std::vector<Unit>& missing, DecodedPayload& payload,
                        std::vector<Diagnostic>& diagnostics) {
    for (const Unit unit : missing) {
        const auto is_of_unit = [unit](const Record& record) { return record.unit == unit; };
        payload.records.erase(std::remove_if(payload.records.begin(), payload.records.end(), is_of_unit),
                              payload.records.end());
        payload.complete = false;
        diagnostics.push_back(
            {Severity::error, std::string(to_string(ErrorCode::record_truncated)),
             fmt::format("the converted JSON does not hold the {} unit: nothing is known of it", unit_name(unit))});
    }
}

/// Adds the records of one output.
std::optional<Error> add_output(std::string_view text, const std::string& file, const StatusCatalogue& catalogue,
                                RecordBudget& budget, Dump& dump) {
    if (budget.left == 0) {
        budget.passed = true;
        return std::nullopt;
    }
    const Result<RebuiltPayload> rebuilt = rebuild_payload(text, budget.limits);
    if (!rebuilt) {
        return rebuilt.error();
    }
    const record::PayloadPlace place{0, rebuilt->bytes.size()};
    Result<DecodedPayload> payload = record::decode_payload(rebuilt->bytes, place, catalogue, dump.diagnostics);
    if (!payload) {
        return Error{payload.error().code, payload.error().message, {}, std::nullopt};  // no offset of this file
    }
    drop_missing_units(rebuilt->missing, *payload, dump.diagnostics);
    payload->output_index = output_index_of(file);
    keep_within(budget, *payload);
    dump.records_missing = dump.records_missing || !payload->complete;
    dump.payloads.push_back(std::move(payload).value());
    return std::nullopt;
}

Dump begin_dump(const std::string& file) {
    Dump dump;
    set_names(dump, file);
    dump.container.reset();
    dump.diagnostics.push_back({Severity::info, "converted_json",
                                "read from converted JSON, not from the binary dump: what the converter left out (the "
                                "header, unused bytes, further entries) is not known"});
    return dump;
}

std::optional<Error> add_file(const std::string& file, const StatusCatalogue& catalogue, RecordBudget& budget,
                              Dump& dump) {
    const auto content =
        bytes::read_file(file, budget.limits, &Limits::converted_bytes, ErrorCode::converted_json_too_large);
    std::optional<Error> error =
        content ? add_output(Bytes(*content).text(), file, catalogue, budget, dump) : content.error();
    if (error) {
        error->file = file;
    }
    return error;
}

std::optional<Error> too_large(std::size_t size, const Limits& limits) {
    return bytes::limit_error(ErrorCode::converted_json_too_large, fmt::format("the JSON has {} bytes", size), limits,
                              &Limits::converted_bytes);
}

/// Outputs are numbered from 0: a gap says that the file of one is gone.
void remark_gap(const std::vector<std::string>& files, Dump& dump) {
    const std::uint64_t last = output_index_of(files.back());
    if (last >= files.size()) {
        dump.records_missing = true;
        dump.diagnostics.push_back(
            {Severity::error, std::string(to_string(ErrorCode::payload_missing)),
             fmt::format("there is a converted output {}, but only {} of the {} outputs up to it are there", last,
                         files.size(), last + 1)});
    }
}

}  // namespace

bool begins_like_json(Bytes file) noexcept {
    constexpr std::size_t kLookedAt = 8;  // the header's length in a container, of which the last bytes are zero
    std::string_view text = file.text();
    if (text.starts_with(bytes::kByteOrderMark)) {  // no container: its header would have gigabytes
        text.remove_prefix(bytes::kByteOrderMark.size());
    }
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && text[first] == '{' &&
           text.substr(first, kLookedAt).find('\0') == std::string_view::npos;
}

Result<Dump> decode_converted(std::string_view text, const std::string& file, const StatusCatalogue& catalogue,
                              const Limits& limits) {
    Dump dump = begin_dump(file);
    RecordBudget budget(limits);
    auto error = text.size() > limits.converted_bytes ? too_large(text.size(), limits)
                                                      : add_output(text, file, catalogue, budget, dump);
    if (error) {
        error->file = file;
        return *std::move(error);
    }
    report_left_out(budget, dump);
    lift_status_remarks(dump);
    return dump;
}

Result<Dump> decode_converted_files(const std::vector<std::string>& files, bool are_all, const DecodeOptions& options) {
    const auto catalogue = options.catalogue ? options.catalogue : built_in_status_catalogue();
    Dump dump = begin_dump(files.front());
    PartFaults faults;
    RecordBudget budget(options.limits);
    for (const std::string& file : files) {
        if (const auto error = add_file(file, *catalogue, budget, dump)) {
            add_fault(faults, *error);
        }
    }
    if (dump.payloads.empty() && faults.count != 0) {
        return faults.listed.front();
    }
    report_faults(faults, "converted outputs", dump);
    if (are_all) {
        remark_gap(files, dump);
    }
    report_left_out(budget, dump);
    lift_status_remarks(dump);
    dump.path_ids = tree::path_ids_as_written(files.front());
    return dump;
}

}  // namespace opdebug::dump_stage
