#include "api_dump/dump_form.hpp"

#include "api_dump/call_name.hpp"
#include "api_dump/ptdbg_line.hpp"
#include "api_dump/statistic_csv.hpp"
#include "bytes/utf8.hpp"
#include "json/cursor.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonStop;

namespace {

constexpr std::string_view kBlanks = " \t\r\n";
constexpr std::uint64_t kMaxDumpNesting = 512;

bool is_msprobe_key(std::string_view key) {
    return key == "task" || key == "level" || key == "framework" || key == "dump_data_dir" || key == "data_path";
}

/// Whether the members of `data` are called as calls are; the cursor stands behind its bracket.
bool has_call_names(JsonCursor& cursor) {
    bool closed = false;
    ApiEntry entry;
    std::string_view name;
    if (!cursor.next_member('}', true, closed) || closed) {
        return false;
    }
    if (!cursor.key(name)) {
        return false;
    }
    entry.name = name;
    read_call_name(entry);
    return entry.api != entry.name;
}

/// An object with "data", beside msprobe's other keys; or its begin.
bool is_msprobe(std::string_view start, std::string_view name) {
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
            cursor.pass();
            return has_known_key || has_call_names(cursor);
        }
        if (!cursor.skip_value()) {
            break;
        }
        has_known_key = has_known_key || is_msprobe_key(key);
        name = {};  // there is more than the begin
    }
    return cursor.stop() == JsonStop::end && (has_known_key || name.ends_with(".json"));
}

/// Any whole line of the form: one damaged line costs only itself. Where the first one is damaged, what begins as no
/// list may be ptdbg's by its name only. `first`: the first byte that is no blank.
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

}  // namespace

std::optional<ApiSource> form_of(std::string_view start, bool is_whole, std::string_view name) {
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

}  // namespace opdebug::api_dump
