// Names of error codes and severities, and the one-line form of an error.
#include <opdebug/result.hpp>

namespace opdebug {
inline namespace v0 {

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

}  // namespace v0
}  // namespace opdebug
