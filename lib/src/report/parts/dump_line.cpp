// The line of one dump: its record document, or only its file and ids, with a small "item" that holds what a merge
// needs. There are millions of these lines, so the reader has no tree of JSON values in between.
#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "bytes/utf8.hpp"
#include "json/cursor.hpp"
#include "json/values.hpp"
#include "report/parts/exact_members.hpp"
#include "report/parts/part_lines.hpp"
#include "report/text/numbers_and_times.hpp"

namespace opdebug::report {
namespace {

void write_causes(const std::vector<ScanCause>& causes, JsonWriter& json) {
    if (causes.empty()) {
        return;
    }
    json.begin_array("causes");
    for (const ScanCause& cause : causes) {
        json.begin_object();
        json.key("id");
        write_exact(cause.id, json);
        json.member("unit", unit_key(cause.unit));
        member_if_true("other_task", cause.other_task, json);
        member_if_true("other_model", cause.other_model, json);
        member_if_known("core_id", cause.core_id, json);
        member_if_known("block_id", cause.block_id, json);
        json.end_object();
    }
    json.end_array();
}

void write_origin_members(const Origin& origin, JsonWriter& json) {
    json.begin_object("origin");
    json.member("verdict", to_string(origin.verdict));
    member_if_any("because", origin.because, json);
    member_if_true("bad_input", origin.bad_input, json);
    member_if_true("bad_output", origin.bad_output, json);
    member_if_true("integers_only", origin.integers_only, json);
    member_if_true("mask_possible", origin.mask_possible, json);
    member_if_true("values_unseen", origin.values_unseen, json);
    json.end_object();
}

void write_path_ids(const PathIds& ids, JsonWriter& json) {
    json.begin_object("path_ids");
    member_if_any("time", ids.time.value_or(""), json);
    member_if_known("device_id", ids.device_id, json);
    member_if_any("model_name", ids.model_name.value_or(""), json);
    member_if_known("model_id", ids.model_id, json);
    member_if_known("data_index", ids.data_index, json);
    member_if_known("rank", ids.rank, json);
    json.end_object();
}

void write_item(const ScanEntry& entry, std::string_view rows, JsonWriter& json) {
    const ScanItem& item = entry.item;
    json.begin_object();
    json.member("state", to_string(item.state));
    if (!bytes::is_utf8(item.file)) {
        json.key("file");  // the bytes: the document has U+FFFD for them
        write_exact(item.file, json);
    }
    write_causes(item.causes, json);
    member_if_any("operator_type", item.operator_type, json);
    member_if_any("operator", item.operator_name, json);
    member_if_any("model", item.model, json);
    if (item.origin) {
        write_origin_members(*item.origin, json);
    }
    if (item.op_dump != OpDumpState::absent) {
        json.member("op_dump", to_string(item.op_dump));
    }
    member_if_any("code", entry.failure_code, json);
    member_if_any("message", entry.failure_message, json);
    member_if_any("rows", rows, json);
    json.end_object();
}

}  // namespace

std::string item_text(const ScanEntry& entry, std::string_view rows) {
    JsonWriter json{JsonWriter::Indent()};
    write_item(entry, rows, json);
    return json.take();
}

std::string document_line(std::string_view document, const ScanEntry& entry, std::string_view rows) {
    document.remove_suffix(1);  // the closing bracket
    return fmt::format("{},\"item\":{}}}", document, item_text(entry, rows));
}

std::string dump_line(const ScanEntry& entry, std::string_view rows) {
    JsonWriter json{JsonWriter::Indent()};
    json.begin_object();
    json.member("type", "dump");
    json.member("file", entry.item.file);
    member_if_any("host", entry.item.host, json);
    member_if_known("timestamp_us", entry.item.timestamp_us, json);
    write_path_ids(entry.item.path_ids, json);
    json.key("item");
    write_item(entry, rows, json);
    json.end_object();
    return json.take();
}

namespace {

using json_stage::each_item;
using json_stage::each_member;
using json_stage::JsonCursor;
using json_stage::JsonScalar;
using json_stage::read_number;
using json_stage::read_optional;
using json_stage::read_scalar;
using json_stage::read_truth;
using json_stage::read_word;

constexpr std::uint64_t kAnyDepth = std::numeric_limits<std::uint64_t>::max();

constexpr std::array kStates{DumpState::overflowed, DumpState::clean, DumpState::failed};
constexpr std::array kOpDumps{OpDumpState::absent, OpDumpState::damaged, OpDumpState::whole};
constexpr std::array kVerdicts{OriginVerdict::born_here, OriginVerdict::inherited, OriginVerdict::not_visible};

template <class Object, class Value>
struct Member {
    std::string_view key;
    Value Object::*target;
};

constexpr Member<ScanItem, std::string> kItemTexts[] = {{"file", &ScanItem::file},
                                                        {"operator_type", &ScanItem::operator_type},
                                                        {"operator", &ScanItem::operator_name},
                                                        {"model", &ScanItem::model}};
constexpr Member<PathIds, std::optional<std::string>> kPathTexts[] = {{"time", &PathIds::time},
                                                                      {"model_name", &PathIds::model_name}};
constexpr Member<PathIds, std::optional<std::uint64_t>> kPathNumbers[] = {{"device_id", &PathIds::device_id},
                                                                          {"model_id", &PathIds::model_id},
                                                                          {"data_index", &PathIds::data_index},
                                                                          {"rank", &PathIds::rank}};
constexpr Member<Origin, bool> kOriginTruths[] = {{"bad_input", &Origin::bad_input},
                                                  {"bad_output", &Origin::bad_output},
                                                  {"integers_only", &Origin::integers_only},
                                                  {"mask_possible", &Origin::mask_possible},
                                                  {"values_unseen", &Origin::values_unseen}};

// Each reads one value; false where it is not what it should be.

/// A text, or the bytes of one that is not UTF-8.
bool read_text(JsonCursor& cursor, std::string& text) {
    char next = 0;
    std::string_view written;
    if (!cursor.peek(next)) {
        return false;
    }
    if (next != '{') {
        const bool is_text = read_scalar(cursor, JsonScalar::Kind::text, written);
        text = written;
        return is_text;
    }
    bool is_hex = false;
    return each_member(cursor,
                       [&](std::string_view key) {
                           if (key != "hex") {
                               return cursor.skip_value();
                           }
                           is_hex = read_scalar(cursor, JsonScalar::Kind::text, written) && bytes_of_hex(written, text);
                           return is_hex;
                       }) &&
           is_hex;
}

bool read_cause(JsonCursor& cursor, ScanCause& cause) {
    bool has_unit = false;
    return each_member(cursor,
                       [&](std::string_view key) {
                           if (key == "id") {
                               return read_text(cursor, cause.id);
                           }
                           if (key == "unit") {
                               std::string_view name;
                               const bool is_text = read_scalar(cursor, JsonScalar::Kind::text, name);
                               const std::optional<Unit> unit = is_text ? unit_from_key(name) : std::nullopt;
                               has_unit = unit.has_value();
                               cause.unit = unit.value_or(cause.unit);
                               return has_unit;
                           }
                           if (key == "other_task") {
                               return read_truth(cursor, cause.other_task);
                           }
                           if (key == "other_model") {
                               return read_truth(cursor, cause.other_model);
                           }
                           if (key == "core_id") {
                               return read_optional(cursor, cause.core_id, read_number);
                           }
                           if (key == "block_id") {
                               return read_optional(cursor, cause.block_id, read_number);
                           }
                           return cursor.skip_value();
                       }) &&
           has_unit;
}

bool read_origin(JsonCursor& cursor, Origin& origin) {
    bool has_verdict = false;
    return each_member(cursor,
                       [&](std::string_view key) {
                           if (key == "verdict") {
                               has_verdict = read_word(cursor, kVerdicts, origin.verdict);
                               return has_verdict;
                           }
                           if (key == "because") {
                               return read_text(cursor, origin.because);
                           }
                           for (const auto& [name, target] : kOriginTruths) {
                               if (key == name) {
                                   return read_truth(cursor, origin.*target);
                               }
                           }
                           return cursor.skip_value();
                       }) &&
           has_verdict;
}

bool read_path_ids(JsonCursor& cursor, PathIds& ids) {
    return each_member(cursor, [&](std::string_view key) {
        for (const auto& [name, target] : kPathNumbers) {
            if (key == name) {
                return read_optional(cursor, ids.*target, read_number);
            }
        }
        for (const auto& [name, target] : kPathTexts) {
            if (key == name) {
                return read_optional(cursor, ids.*target, read_text);
            }
        }
        return cursor.skip_value();
    });
}

bool read_item_member(JsonCursor& cursor, std::string_view key, DumpLine& dump) {
    ScanItem& item = dump.entry.item;
    for (const auto& [name, target] : kItemTexts) {
        if (key == name) {
            return read_text(cursor, item.*target);
        }
    }
    if (key == "causes") {
        item.causes.clear();
        return each_item(cursor, [&] { return read_cause(cursor, item.causes.emplace_back()); });
    }
    if (key == "origin") {
        return read_origin(cursor, item.origin.emplace());
    }
    if (key == "op_dump") {
        return read_word(cursor, kOpDumps, item.op_dump);
    }
    if (key == "code") {
        return read_text(cursor, dump.entry.failure_code);
    }
    if (key == "message") {
        return read_text(cursor, dump.entry.failure_message);
    }
    if (key == "rows") {
        return read_text(cursor, dump.rows);
    }
    return cursor.skip_value();
}

bool read_item(JsonCursor& cursor, DumpLine& dump) {
    bool has_state = false;
    return each_member(cursor,
                       [&](std::string_view key) {
                           if (key == "state") {
                               has_state = read_word(cursor, kStates, dump.entry.item.state);
                               return has_state;
                           }
                           return read_item_member(cursor, key, dump);
                       }) &&
           has_state;
}

/// What the reader found of a line.
struct Seen {
    std::string_view schema, type;
    bool file = false;
    JsonCursor::Place before_item = nullptr, after_item = nullptr;
};

bool read_line_member(JsonCursor& cursor, std::string_view key, Seen& seen, DumpLine& dump) {
    ScanItem& item = dump.entry.item;
    if (key == "schema") {
        return read_scalar(cursor, JsonScalar::Kind::text, seen.schema);
    }
    if (key == "type") {
        return read_scalar(cursor, JsonScalar::Kind::text, seen.type);
    }
    if (key == "file") {
        seen.file = read_text(cursor, item.file);
        return seen.file;
    }
    if (key == "host") {
        std::optional<std::string> host;
        const bool is_read = read_optional(cursor, host, read_text);
        item.host = host.value_or("");
        return is_read;
    }
    if (key == "timestamp_us") {
        return read_optional(cursor, item.timestamp_us, read_number);
    }
    if (key == "path_ids") {
        return read_path_ids(cursor, item.path_ids);
    }
    if (key == "item") {
        const bool is_read = read_item(cursor, dump);
        seen.after_item = cursor.place();
        return is_read;
    }
    return cursor.skip_value();
}

/// What the cursor does not check of texts that it skips.
bool holds_sound_text(std::string_view line) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
    return bytes::is_utf8(line) && std::none_of(line.begin(), line.end(), is_control);
}

}  // namespace

std::optional<DumpLine> read_dump_line(std::string_view line) {
    std::optional<DumpLine> dump(std::in_place);
    JsonCursor cursor(line, kAnyDepth, json_stage::JsonDialect::strict);
    Seen seen;
    JsonCursor::Place end_of_member = nullptr;
    const bool sound = holds_sound_text(line) &&
                       each_member(cursor,
                                   [&](std::string_view key) {
                                       if (key == "item") {
                                           seen.before_item = end_of_member;
                                       }
                                       const bool is_read = read_line_member(cursor, key, seen, *dump);
                                       end_of_member = cursor.place();
                                       return is_read;
                                   }) &&
                       line.find_first_not_of(' ', cursor.position()) == std::string_view::npos;
    const bool is_document = seen.schema == "opdebug.record/1";
    if (!sound || !seen.file || seen.before_item == nullptr || (!is_document && seen.type != "dump")) {
        return std::nullopt;
    }
    if (is_document) {
        dump->document.assign(line.data(), seen.before_item);
        dump->document.append(seen.after_item, line.data() + line.size());
    }
    return dump;
}

}  // namespace opdebug::report
