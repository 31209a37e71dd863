// Detects the format of a file by its first bytes; public functions that read an API dump.
#include "api_dump/dump_files.hpp"

#include <string>

#include <fmt/format.h>

#include <opdebug/api.hpp>
#include <opdebug/result.hpp>
#include <opdebug/tree.hpp>

#include "api_dump/call_name.hpp"
#include "api_dump/readers.hpp"
#include "bytes/file.hpp"
#include "bytes/packed_form.hpp"
#include "bytes/utf8.hpp"
#include "json/cursor.hpp"

namespace opdebug {
namespace api_dump {

using json_stage::JsonCursor;
using json_stage::JsonStop;

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

constexpr std::uint64_t kMaxDumpNesting = 512;

/// An object with "data" and msprobe's other keys, or its beginning.
bool is_msprobe(std::string_view start, std::string_view name) {
    const bool is_own_name = name == "dump.json" || name == "debug.json";
    JsonCursor cursor(start, kMaxDumpNesting);
    bool has_known_key = false;
    bool closed = false;
    if (!cursor.expect('{')) {
        return false;
    }
    for (bool first = true; cursor.next_member('}', first, closed); first = false) {
        std::string_view key;
        char next = 0;
        if (closed) {
            return false;
        }
        if (!cursor.key(key) || !cursor.peek(next)) {
            break;
        }
        if (key == "data" && next == '{') {
            return has_known_key || is_own_name;
        }
        if (!cursor.skip_value()) {
            break;
        }
        has_known_key = has_known_key || is_msprobe_key(key);
        name = {};  // the file is longer
    }
    return cursor.stop() == JsonStop::end && (has_known_key || name.ends_with(".json"));
}

/// Accepts any complete line of the format: one damaged line costs only itself. If the first line is damaged and does
/// not begin like a list, the name decides. `first`: the first character that is no blank.
bool is_ptdbg(std::string_view start, char first, bool is_whole, std::string_view name) {
    const bool begins_as_list = first == '[', has_own_name = name.ends_with(".pkl");
    if (!begins_as_list && (!has_own_name || is_pickle(start))) {
        return false;
    }
    bool has_line = false;
    while (!start.empty()) {
        const std::size_t end = start.find('\n');
        has_line = has_line || end != std::string_view::npos;
        if ((end != std::string_view::npos || is_whole) && read_ptdbg_line(start.substr(0, end), false)) {
            return true;
        }
        start.remove_prefix(end == std::string_view::npos ? start.size() : end + 1);
    }
    return !has_line && begins_as_list && has_own_name;
}

/// `start`: the first bytes. `is_whole`: these are all bytes. `name`: of the file; it decides if there are too few
/// bytes, because such a file is a truncated dump.
std::optional<ApiSource> format_of(std::string_view start, bool is_whole, std::string_view name) {
    if (start.empty() && name == "statistic.csv") {
        return ApiSource::statistic_csv;
    }
    if (start.starts_with(bytes::kByteOrderMark)) {
        start.remove_prefix(bytes::kByteOrderMark.size());
    }
    const std::size_t first = start.find_first_not_of(kBlanks);
    if (first == std::string_view::npos) {
        return name.ends_with(".json")  ? std::optional<ApiSource>(ApiSource::msprobe)
               : name.ends_with(".pkl") ? std::optional<ApiSource>(ApiSource::ptdbg)
                                        : std::nullopt;
    }
    if (is_msprobe(start, name)) {
        return ApiSource::msprobe;
    }
    if (is_ptdbg(start, start[first], is_whole, name)) {
        return ApiSource::ptdbg;
    }
    return is_statistic_header(start) ? std::optional<ApiSource>(ApiSource::statistic_csv) : std::nullopt;
}

constexpr std::size_t kStart = std::size_t{16} << 10U;

std::optional<ApiSource> source_in(const bytes::FileStart& start, std::string_view name) {
    const std::string_view text = Bytes(start.bytes).text();
    return format_of(text, start.file_size <= text.size(), name);
}

Result<std::optional<ApiSource>> source_of(const std::string& path, std::string_view name) {
    const Result<bytes::FileStart> start = bytes::read_file_start(path, kStart);
    if (!start) {
        return start.error();
    }
    return source_in(*start, name);
}

Result<ApiFile> refused(const bytes::FileStart& start, const std::string& path) {
    if (is_pickle(Bytes(start.bytes).text())) {
        return Error{ErrorCode::pickle_refused,
                     "binary pickle: not loaded, because it can execute code; dumps of ptdbg_ascend are text", path, 0};
    }
    if (const auto packing = bytes::packing_name(Bytes(start.bytes).text())) {
        return Error{ErrorCode::api_dump_invalid,
                     fmt::format("this is {}: unpack it first, then use the folder or the dump inside", *packing), path,
                     std::nullopt};
    }
    return Error{ErrorCode::api_dump_invalid,
                 "not a dump of API calls: expected dump.json of msprobe, .pkl text of ptdbg_ascend or statistic.csv",
                 path, std::nullopt};
}

}  // namespace

Result<std::optional<ApiSource>> source_by_content(const std::string& path) {
    return source_of(path, {});
}

Result<ApiFile> read_as(ApiSource source, const std::string& path, const ApiReadOptions& options,
                        const std::function<void(ApiEntry&&)>& use) {
    Result<ApiFile> file = source == ApiSource::msprobe ? read_msprobe_file(path, options, use)
                           : source == ApiSource::ptdbg ? read_ptdbg_file(path, options, use)
                                                        : read_statistic_csv(path, options, use);
    if (file) {
        read_location(path, *file);
    }
    return file;
}

}  // namespace api_dump

inline namespace v0 {

std::string_view to_string(ApiSource source) noexcept {
    constexpr std::string_view kNames[] = {"msprobe", "ptdbg", "statistic_csv"};
    return kNames[static_cast<std::size_t>(source)];
}

std::string_view to_string(ApiValueKind kind) noexcept {
    constexpr std::string_view kNames[] = {"input", "kwargs", "parameters", "output"};
    return kNames[static_cast<std::size_t>(kind)];
}

Result<std::optional<ApiSource>> api_source_of(const std::string& path) {
    return api_dump::source_of(path, file_name_of(path));
}

Result<ApiFile> read_api_dump(const std::string& path, const ApiReadOptions& options,
                              const std::function<void(ApiEntry&&)>& use) {
    const Result<bytes::FileStart> start = bytes::read_file_start(path, api_dump::kStart);
    if (!start) {
        return start.error();
    }
    const std::optional<ApiSource> source = api_dump::source_in(*start, file_name_of(path));
    if (!source) {
        return api_dump::refused(*start, path);
    }
    return api_dump::read_as(*source, path, options, use);
}

}  // namespace v0
}  // namespace opdebug
