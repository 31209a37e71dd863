// Errors as values. A function that can fail returns Result<T>: a value, or one Error with file, location, reason and
// remedy. The library throws only std::bad_alloc and exceptions of the caller's functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <opdebug/export.h>

namespace opdebug {
inline namespace v0 {

/// Kind of an error. The names are stable: to_string() returns the "code" in JSON documents.
enum class ErrorCode {
    // The file could not be read.
    file_not_found,
    permission_denied,
    is_directory,
    not_a_regular_file,
    read_failed,
    file_too_large,
    // The bytes are not a container.
    empty_file,
    file_too_short,
    not_a_dump,
    header_truncated,
    header_length_invalid,
    header_malformed,
    header_too_large,
    header_empty,
    nano_malformed,
    converted_json_invalid,
    // The container holds no usable payload.
    no_output,
    payload_is_input,
    payload_missing,
    payload_truncated,
    payload_size,
    size_overflow,
    not_an_overflow_dump,
    // The payload is not a usable record.
    magic_damaged,
    unit_unknown,
    record_truncated,
    // The file is no API dump, or a kind of it that is not read.
    api_dump_invalid,
    pickle_refused,
    // The file is no profiler's trace.
    trace_invalid,
    // A limit was passed (limits.hpp); file_too_large and header_too_large are of this kind, too.
    too_many_tensors,
    too_many_dimensions,
    too_many_records,
    name_too_long,
    nesting_too_deep,
    converted_json_too_large,
    definition_too_large,
    mapping_too_large,
    folder_too_deep,
    call_too_large,
    // Data that the user gives.
    catalogue_invalid,
    log_format_invalid,
    log_unreadable,
    task_map_invalid,
    mapping_invalid,
    invalid_argument,
    // Writing.
    write_failed,
    // The caller asked to stop.
    interrupted,
    // The library itself, told by the C interface (in C++ these are exceptions).
    out_of_memory,
    internal_error,
};

/// The stable snake_case name, for example "header_truncated". Static storage.
OPDEBUG_API std::string_view to_string(ErrorCode code) noexcept;

/// An error. `message` is a complete English sentence with expected and actual values.
struct [[nodiscard]] Error {
    ErrorCode code = ErrorCode::invalid_argument;
    std::string message;
    std::string file;                     ///< empty: the bytes are not from a file
    std::optional<std::uint64_t> offset;  ///< byte offset of the error
};

/// "FILE: at byte N: MESSAGE", with the known parts.
OPDEBUG_API std::string to_string(const Error& error);

/// A value or an Error. Call value() only if ok(), and error() only if not. Members of a temporary Result return by
/// value, so references to their results stay valid.
template <class T>
class [[nodiscard]] Result {
public:
    Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
    Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

    bool ok() const noexcept { return state_.index() == 0; }
    explicit operator bool() const noexcept { return ok(); }

    T& value() & { return *std::get_if<0>(&state_); }
    const T& value() const& { return *std::get_if<0>(&state_); }
    T value() && { return std::move(*std::get_if<0>(&state_)); }
    Error& error() & { return *std::get_if<1>(&state_); }
    const Error& error() const& { return *std::get_if<1>(&state_); }
    Error error() && { return std::move(*std::get_if<1>(&state_)); }

    T* operator->() { return &value(); }
    const T* operator->() const { return &value(); }
    T& operator*() & { return value(); }
    const T& operator*() const& { return value(); }
    T operator*() && { return std::move(*this).value(); }

private:
    std::variant<T, Error> state_;
};

/// Severity of a diagnostic. error: input is damaged or missing (the tool exits with 1). warning: the result is right,
/// but has a limitation. info: a helpful fact.
enum class Severity { info, warning, error };

/// "info", "warning" or "error". Static storage.
OPDEBUG_API std::string_view to_string(Severity severity) noexcept;

/// Language of texts.
enum class Language { english, chinese };

/// A text in both languages (UTF-8).
struct LocalizedText {
    std::string en;
    std::string zh;
    const std::string& in(Language language) const noexcept { return language == Language::chinese ? zh : en; }
};

/// A remark on a usable result. `code` is a stable snake_case name.
struct Diagnostic {
    Severity severity = Severity::info;
    std::string code;
    std::string message;
    std::string message_zh = {};  ///< the sentence in Chinese; empty: not known, as in reports of older versions
    const std::string& message_in(Language language) const noexcept {
        return language == Language::chinese && !message_zh.empty() ? message_zh : message;
    }
};

}  // namespace v0
}  // namespace opdebug
