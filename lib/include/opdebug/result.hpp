// What every other header uses: errors as values, remarks, limits for input, and a view of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <opdebug/export.h>

namespace opdebug {
inline namespace v0 {

// Errors as values. A function that can fail returns Result<T>: a value, or one Error with file, location, reason and
// remedy. The library throws only std::bad_alloc and exceptions of the caller's functions.

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
    // The caller wants to stop.
    interrupted,
    // The library itself, reported by the C interface (in C++ these are exceptions).
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

// Limits for input. Dumps come from crashing processes and from strangers. Each limit is far above all known real data,
// and keeps one file from using all memory or hours of time.

/// Input limits. A limit is 1 or more; 0 accepts nothing. "Code" is the code of the error, or of the diagnostic if the
/// result stays usable. The message names the limit, its value, and how to raise it.
struct Limits {
    /// Bytes of an overflow dump, also from standard input. A dump has about 2 KB. Code: file_too_large.
    std::uint64_t file_bytes = std::uint64_t{64} << 20U;

    /// Bytes of the header of a dump, and of a complete operator dump of version 1. Headers of overflow dumps have 49
    /// to 73 bytes (writer: runtime dump_task.cpp). Code: header_too_large.
    std::uint64_t header_bytes = std::uint64_t{16} << 20U;

    /// Declared inputs, outputs, buffers and workspaces, each. Operators have dozens. A declaration takes 2 bytes in
    /// the header and over 100 in memory. Code: too_many_tensors.
    std::uint64_t tensors = 4096;

    /// Numbers in a tensor shape. Shapes have up to 8, rarely 25. Code: too_many_dimensions.
    std::uint64_t dimensions = 1024;

    /// Bytes of a name in a header, and of a string or key in JSON. Operator names have hundreds of bytes, fused ones
    /// thousands. Code: name_too_long.
    std::uint64_t name_bytes = std::uint64_t{64} << 10U;

    /// Records of one file, including appended dumps. A legacy dump has 3. A record takes about 8 KB of memory. Code:
    /// too_many_records, with the records up to the limit.
    std::uint64_t records = 10'000;

    /// Bytes of converted JSON. It has about 2 KB (msaccucmp, docs/internals/formats.md) and takes up to 25 times its
    /// size in memory. Code: converted_json_too_large.
    std::uint64_t converted_bytes = std::uint64_t{1} << 20U;

    /// Bytes of a status catalogue or a file of log formats. The built-in ones have up to 33 KB. Code:
    /// definition_too_large.
    std::uint64_t definition_bytes = std::uint64_t{16} << 20U;

    /// Nesting of JSON lists and objects. Known documents have 6 levels. Headers of dumps need no limit: only three
    /// levels are read. Code: nesting_too_deep.
    std::uint64_t nesting = 64;

    /// Bytes of one call in an API dump, of a line of a .pkl or statistic.csv, and of a group in stack.json. A call has
    /// thousands of bytes; with lists of thousands of tensors it has millions. Code: call_too_large.
    std::uint64_t call_bytes = std::uint64_t{64} << 20U;

    /// Nesting of JSON in an API dump. msprobe follows values through 400 levels (source: recursion limit of its data
    /// processor). Code: nesting_too_deep.
    std::uint64_t call_nesting = 512;

    /// Bytes of a mapping.csv. With 65,535 files and 280 bytes for each, it has 18 MB; the official converter accepts
    /// 100 MB. Code: mapping_too_large; the files then keep their numbers as names.
    std::uint64_t mapping_bytes = std::uint64_t{32} << 20U;

    /// Nested folders below a given path. Dumps are up to 8 levels deep ({rank}/{time}/{device}/{model}/{id}/{index}).
    /// Code: folder_too_deep in the failures; other folders are read.
    std::uint64_t folder_depth = 256;

    /// Bytes of a log line. CANN's log library writes 1022 (source: log_types.h, MSG_LENGTH); log collectors add up to
    /// 400. Code: line_too_long, with the number of such lines.
    std::uint64_t line_bytes = std::uint64_t{8} << 10U;

    /// Processes in logs. A job of 10,000 devices has about 10,000. Code: too_many_processes; lines of more processes
    /// are dropped.
    std::uint64_t processes = 100'000;

    /// Listed operators for one record. An FFTS+ task can have a hundred thousand contexts. Code: candidates_cut.
    std::uint64_t candidates = 100;
};

/// Name and meaning of a limit: for `--limit NAME=NUMBER`, C and Python.
struct LimitInfo {
    std::string_view name;  ///< name of the member
    std::uint64_t Limits::*member = nullptr;
    std::string_view code;    ///< of the error or diagnostic
    std::string_view bounds;  ///< in a few English words
};

/// All limits, in the order of the members. Static texts.
OPDEBUG_API std::vector<LimitInfo> known_limits();

/// Sets a limit by name. Error: invalid_argument for an unknown name and for 0; nothing changes then. Not thread-safe
/// for one `limits`.
[[nodiscard]] OPDEBUG_API std::optional<Error> set_limit(Limits& limits, std::string_view name, std::uint64_t value);

// A text with the name that messages call it by.

/// Data that the user adds to the library's own, such as the content of a JSON file and its path.
struct NamedText {
    std::string name;
    std::string text;
};

// A view of bytes that somebody else owns. std::span is C++20; this header must compile as C++17.

/// A non-owning view of contiguous bytes: the caller keeps the memory alive while the view is used.
class Bytes {
public:
    constexpr Bytes() noexcept = default;
    constexpr Bytes(const std::uint8_t* data, std::size_t size) noexcept : data_(data), size_(size) {}
    Bytes(const void* data, std::size_t size) noexcept : data_(static_cast<const std::uint8_t*>(data)), size_(size) {}
    Bytes(std::string_view text) noexcept : Bytes(static_cast<const void*>(text.data()), text.size()) {}
    /// Any contiguous container of bytes: std::string, std::vector of std::uint8_t, char or std::byte, std::array.
    template <class Container, class Element = std::remove_pointer_t<decltype(std::declval<const Container&>().data())>,
              class = std::enable_if_t<sizeof(Element) == 1 && std::is_trivially_copyable_v<Element>>>
    Bytes(const Container& container) noexcept : Bytes(static_cast<const void*>(container.data()), container.size()) {}

    constexpr const std::uint8_t* data() const noexcept { return data_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr const std::uint8_t* begin() const noexcept { return data_; }
    constexpr const std::uint8_t* end() const noexcept { return data_ + size_; }
    constexpr std::uint8_t operator[](std::size_t index) const noexcept { return data_[index]; }

    /// The part [offset, offset + count); both are clamped to the view, so the result never reaches outside.
    constexpr Bytes slice(std::size_t offset, std::size_t count) const noexcept {
        const std::size_t first = offset < size_ ? offset : size_;
        const std::size_t rest = size_ - first;
        return Bytes(data_ + first, count < rest ? count : rest);
    }
    std::string_view text() const noexcept { return {reinterpret_cast<const char*>(data_), size_}; }

private:
    const std::uint8_t* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace v0
}  // namespace opdebug
