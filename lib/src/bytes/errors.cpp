// Names of error codes and severities, the text of an error, the table of limits.
#include <algorithm>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include <opdebug/result.hpp>

#include "bytes/passed_limit.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

constexpr LimitInfo kLimits[] = {
    {"file_bytes", &Limits::file_bytes, "file_too_large", "bytes of an overflow dump"},
    {"header_bytes", &Limits::header_bytes, "header_too_large",
     "bytes of a dump's header, and of an operator's dump of version 1"},
    {"tensors", &Limits::tensors, "too_many_tensors", "inputs, outputs, buffers and workspaces of a dump (each)"},
    {"dimensions", &Limits::dimensions, "too_many_dimensions", "dimensions of a tensor"},
    {"name_bytes", &Limits::name_bytes, "name_too_long", "bytes of a name in a header or of a text in JSON"},
    {"records", &Limits::records, "too_many_records", "records of one file"},
    {"converted_bytes", &Limits::converted_bytes, "converted_json_too_large", "bytes of a converted dump (JSON)"},
    {"definition_bytes", &Limits::definition_bytes, "definition_too_large",
     "bytes of a file that describes status words or log lines"},
    {"nesting", &Limits::nesting, "nesting_too_deep", "nesting depth of lists and objects in JSON"},
    {"call_bytes", &Limits::call_bytes, "call_too_large", "bytes of one call in an API dump"},
    {"call_nesting", &Limits::call_nesting, "nesting_too_deep", "nesting depth of lists and objects in an API dump"},
    {"mapping_bytes", &Limits::mapping_bytes, "mapping_too_large", "bytes of a mapping.csv"},
    {"folder_depth", &Limits::folder_depth, "folder_too_deep", "folder levels below a given path"},
    {"line_bytes", &Limits::line_bytes, "line_too_long", "bytes of a log line that are read"},
    {"processes", &Limits::processes, "too_many_processes", "processes in logs"},
    {"candidates", &Limits::candidates, "candidates_cut", "operators that are listed for one record"},
};

std::string known_names() {
    std::string names;
    for (const LimitInfo& limit : kLimits) {
        names += (names.empty() ? "" : ", ") + std::string(limit.name);
    }
    return names;
}

Error wrong_limit(std::string message) {
    return {ErrorCode::invalid_argument, std::move(message), {}, std::nullopt};
}

}  // namespace

std::string_view to_string(ErrorCode code) noexcept {
    switch (code) {
        case ErrorCode::file_not_found: return "file_not_found";
        case ErrorCode::permission_denied: return "permission_denied";
        case ErrorCode::is_directory: return "is_directory";
        case ErrorCode::not_a_regular_file: return "not_a_regular_file";
        case ErrorCode::read_failed: return "read_failed";
        case ErrorCode::file_too_large: return "file_too_large";
        case ErrorCode::empty_file: return "empty_file";
        case ErrorCode::file_too_short: return "file_too_short";
        case ErrorCode::not_a_dump: return "not_a_dump";
        case ErrorCode::header_truncated: return "header_truncated";
        case ErrorCode::header_length_invalid: return "header_length_invalid";
        case ErrorCode::header_malformed: return "header_malformed";
        case ErrorCode::header_too_large: return "header_too_large";
        case ErrorCode::header_empty: return "header_empty";
        case ErrorCode::nano_malformed: return "nano_malformed";
        case ErrorCode::converted_json_invalid: return "converted_json_invalid";
        case ErrorCode::no_output: return "no_output";
        case ErrorCode::payload_is_input: return "payload_is_input";
        case ErrorCode::payload_missing: return "payload_missing";
        case ErrorCode::payload_truncated: return "payload_truncated";
        case ErrorCode::payload_size: return "payload_size";
        case ErrorCode::size_overflow: return "size_overflow";
        case ErrorCode::not_an_overflow_dump: return "not_an_overflow_dump";
        case ErrorCode::magic_damaged: return "magic_damaged";
        case ErrorCode::unit_unknown: return "unit_unknown";
        case ErrorCode::record_truncated: return "record_truncated";
        case ErrorCode::api_dump_invalid: return "api_dump_invalid";
        case ErrorCode::pickle_refused: return "pickle_refused";
        case ErrorCode::trace_invalid: return "trace_invalid";
        case ErrorCode::too_many_tensors: return "too_many_tensors";
        case ErrorCode::too_many_dimensions: return "too_many_dimensions";
        case ErrorCode::too_many_records: return "too_many_records";
        case ErrorCode::name_too_long: return "name_too_long";
        case ErrorCode::nesting_too_deep: return "nesting_too_deep";
        case ErrorCode::converted_json_too_large: return "converted_json_too_large";
        case ErrorCode::definition_too_large: return "definition_too_large";
        case ErrorCode::mapping_too_large: return "mapping_too_large";
        case ErrorCode::folder_too_deep: return "folder_too_deep";
        case ErrorCode::call_too_large: return "call_too_large";
        case ErrorCode::catalogue_invalid: return "catalogue_invalid";
        case ErrorCode::log_format_invalid: return "log_format_invalid";
        case ErrorCode::log_unreadable: return "log_unreadable";
        case ErrorCode::task_map_invalid: return "task_map_invalid";
        case ErrorCode::mapping_invalid: return "mapping_invalid";
        case ErrorCode::invalid_argument: return "invalid_argument";
        case ErrorCode::write_failed: return "write_failed";
        case ErrorCode::interrupted: return "interrupted";
        case ErrorCode::out_of_memory: return "out_of_memory";
        case ErrorCode::internal_error: return "internal_error";
    }
    return "unknown";
}

std::string to_string(const Error& error) {
    std::string text;
    if (!error.file.empty()) {
        text += error.file + ": ";
    }
    if (error.offset) {
        text += "at byte " + std::to_string(*error.offset) + ": ";
    }
    return text + error.message;
}

std::string_view to_string(Severity severity) noexcept {
    switch (severity) {
        case Severity::info: return "info";
        case Severity::warning: return "warning";
        case Severity::error: return "error";
    }
    return "unknown";
}

std::vector<LimitInfo> known_limits() {
    return {std::begin(kLimits), std::end(kLimits)};
}

std::optional<Error> set_limit(Limits& limits, std::string_view name, std::uint64_t value) {
    const auto* const known = std::find_if(std::begin(kLimits), std::end(kLimits),
                                           [name](const LimitInfo& item) { return item.name == name; });
    if (known == std::end(kLimits)) {
        return wrong_limit(fmt::format("unknown limit \"{}\"; the limits are {}", name, known_names()));
    }
    if (value == 0) {
        return wrong_limit(fmt::format("the limit {} must be 1 or more, not 0", name));
    }
    limits.*known->member = value;
    return std::nullopt;
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::bytes {

std::string_view limit_name(std::uint64_t Limits::*limit) noexcept {
    const auto* const known = std::find_if(std::begin(kLimits), std::end(kLimits),
                                           [limit](const LimitInfo& item) { return item.member == limit; });
    return known->name;
}

std::string passed_limit(const Limits& limits, std::uint64_t Limits::*limit) {
    return fmt::format("the limit {0} is {1} (to raise it: --limit {0}=NUMBER; in a program, set {0} in limits)",
                       limit_name(limit), limits.*limit);
}

Error limit_error(ErrorCode code, const std::string& found, const Limits& limits, std::uint64_t Limits::*limit,
                  std::optional<std::uint64_t> offset) {
    return {code, found + "; " + passed_limit(limits, limit), {}, offset};
}

}  // namespace opdebug::bytes
