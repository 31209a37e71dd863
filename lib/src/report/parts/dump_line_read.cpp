// Partial reports: the lines of single dumps are read. There are millions of them, so they are read member by member
// into their targets; a tree of nlohmann_json in between took five times as long. Each is checked to be JSON first, for
// the cursor is not strict.
#include <array>
#include <limits>
#include <utility>

#include "json/check.hpp"
#include "json/cursor.hpp"
#include "json/values.hpp"
#include "report/parts/part_lines.hpp"
#include "report/text/numbers_and_times.hpp"

namespace opdebug::report {
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

constexpr Member<ScanItem, std::string> kItemTexts[] = {{"host", &ScanItem::host},
                                                        {"file", &ScanItem::file},
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

/// A member that is not in a table.
bool read_other(JsonCursor& cursor, std::string_view key, DumpLine& dump) {
    ScanItem& item = dump.entry.item;
    if (key == "timestamp_us") {
        return read_optional(cursor, item.timestamp_us, read_number);
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
    if (key == "rows") {
        return read_truth(cursor, dump.rows);
    }
    if (key == "document") {
        return read_truth(cursor, dump.document);
    }
    if (key == "code") {
        return read_text(cursor, dump.entry.failure_code);
    }
    if (key == "message") {
        return read_text(cursor, dump.entry.failure_message);
    }
    return cursor.skip_value();
}

bool read_member(JsonCursor& cursor, std::string_view key, DumpLine& dump) {
    ScanItem& item = dump.entry.item;
    for (const auto& [name, target] : kItemTexts) {
        if (key == name) {
            return read_text(cursor, item.*target);
        }
    }
    for (const auto& [name, target] : kPathNumbers) {
        if (key == name) {
            return read_optional(cursor, item.path_ids.*target, read_number);
        }
    }
    for (const auto& [name, target] : kPathTexts) {
        if (key == name) {
            return read_optional(cursor, item.path_ids.*target, read_text);
        }
    }
    return read_other(cursor, key, dump);
}

}  // namespace

std::optional<DumpLine> read_dump_line(std::string_view line) {
    std::optional<DumpLine> dump(std::in_place);
    JsonCursor cursor(line, kAnyDepth);
    std::string_view type;
    bool has_state = false, has_file = false;
    const bool sound = json_stage::is_json(line) && each_member(cursor, [&](std::string_view key) {
                           if (key == "type") {
                               return read_scalar(cursor, JsonScalar::Kind::text, type);
                           }
                           if (key == "state") {
                               has_state = read_word(cursor, kStates, dump->entry.item.state);
                               return has_state;
                           }
                           has_file = has_file || key == "file";
                           return read_member(cursor, key, *dump);
                       });
    if (!sound || type != "dump" || !has_state || !has_file) {
        dump.reset();
    }
    return dump;
}

std::optional<std::string> read_rows_line(std::string_view line) {
    JsonCursor cursor(line, kAnyDepth);
    std::string_view type, rows;
    bool has_rows = false;
    const bool sound = json_stage::is_json(line) && each_member(cursor, [&](std::string_view key) {
                           if (key == "type") {
                               return read_scalar(cursor, JsonScalar::Kind::text, type);
                           }
                           if (key == "rows") {
                               has_rows = read_scalar(cursor, JsonScalar::Kind::text, rows);
                               return has_rows;
                           }
                           return cursor.skip_value();
                       });
    return sound && type == "rows" && has_rows ? std::optional(std::string(rows)) : std::nullopt;
}

bool is_document_line(std::string_view line) {
    constexpr std::size_t kStart = 40;  // its schema is its first member
    return line.substr(0, kStart).find("\"opdebug.record/") != std::string_view::npos && json_stage::is_json(line);
}

}  // namespace opdebug::report
