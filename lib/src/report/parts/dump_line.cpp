// The line of one dump: its record document, or only its file and ids, with a small "item" that holds what a merge
// needs. There are millions of these lines, so the reader has no tree of JSON values in between.
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "bytes/utf8.hpp"
#include "report/parts/members.hpp"
#include "report/parts/part_lines.hpp"

namespace opdebug::report {

using json_stage::JsonCursor;

template <>
inline constexpr Unit kLast<Unit> = Unit::sdma;
template <>
inline constexpr DumpState kLast<DumpState> = DumpState::failed;
template <>
inline constexpr OpDumpState kLast<OpDumpState> = OpDumpState::whole;
template <>
inline constexpr OriginVerdict kLast<OriginVerdict> = OriginVerdict::not_visible;

void members(auto& visit, Of<ScanCause> auto& cause) {
    visit("id", cause.id);
    visit.always("unit", cause.unit);
    visit("other_task", cause.other_task);
    visit("other_model", cause.other_model);
    visit("core_id", cause.core_id);
    visit("block_id", cause.block_id);
}

void members(auto& visit, Of<Origin> auto& origin) {
    visit.always("verdict", origin.verdict);
    visit("because", origin.because);
    visit("because_zh", origin.because_zh);
    visit("bad_input", origin.bad_input);
    visit("bad_output", origin.bad_output);
    visit("integers_only", origin.integers_only);
    visit("mask_possible", origin.mask_possible);
    visit("values_unseen", origin.values_unseen);
}

void members(auto& visit, Of<PathIds> auto& ids) {
    visit("time", ids.time);
    visit("device_id", ids.device_id);
    visit("model_name", ids.model_name);
    visit("model_id", ids.model_id);
    visit("data_index", ids.data_index);
    visit("rank", ids.rank);
}

namespace {

/// Members other than the file and the item.
void line_members(auto& visit, auto& item) {
    visit("host", item.host);
    visit("timestamp_us", item.timestamp_us);
    visit("utc_offset_minutes", item.utc_offset_minutes);
    visit("path_ids", item.path_ids);
}

/// `exact_file`: the bytes of a path that is not UTF-8, for which the line has U+FFFD.
void item_members(auto& visit, auto& entry, auto& exact_file) {
    visit.always("state", entry.item.state);
    visit("file", exact_file);
    visit("causes", entry.item.causes);
    visit("operator_type", entry.item.operator_type);
    visit("operator", entry.item.operator_name);
    visit("model", entry.item.model);
    visit("origin", entry.item.origin);
    visit("op_dump", entry.item.op_dump);
    visit("code", entry.failure_code);
    visit("message", entry.failure_message);
}

/// What a merge needs in addition to the record document.
void write_item(const ScanEntry& entry, JsonWriter& json) {
    const std::string exact_file = bytes::is_utf8(entry.item.file) ? std::string() : entry.item.file;
    write_members(json, [&](auto& visit) { item_members(visit, entry, exact_file); });
}

}  // namespace

std::string document_line(std::string_view document, const ScanEntry& entry) {
    document.remove_suffix(1);  // the closing bracket
    JsonWriter json;
    write_item(entry, json);
    return fmt::format("{},\"item\":{}}}", document, json.text());
}

std::string dump_line(const ScanEntry& entry) {
    JsonWriter json;
    json.value([&] {
        json.member("type", "dump");
        json.member("file", entry.item.file);
        MemberWriter writer(json);
        line_members(writer, entry.item);
        json.key("item");
        write_item(entry, json);
    });
    return json.take();
}

std::optional<DumpLine> read_dump_line(std::string_view line) {
    std::optional<DumpLine> dump(std::in_place);
    ScanItem& item = dump->entry.item;
    std::string schema, type;
    JsonCursor::Mark end_of_member = nullptr, before_item = nullptr, after_item = nullptr;
    const bool is_sound = read_json_line(line, [&](JsonCursor& cursor) {
        return json_stage::each_member(cursor, [&](std::string_view key) {
            if (key == "item") {
                before_item = end_of_member;
                const bool is_read =
                    read_members(cursor, [&](auto& visit) { item_members(visit, dump->entry, item.file); });
                after_item = cursor.mark();
                return is_read;
            }
            MemberReader member(cursor, key);
            member("schema", schema);
            member("type", type);
            member.always("file", item.file);
            line_members(member, item);
            const bool is_read = member.finish();
            end_of_member = cursor.mark();
            return is_read;
        });
    });
    const bool is_document = schema == "opdebug.record/1";
    if (!is_sound || item.file.empty() || before_item == nullptr || (!is_document && type != "dump")) {
        return std::nullopt;
    }
    if (is_document) {
        dump->document.assign(line.data(), before_item);
        dump->document.append(after_item, line.data() + line.size());
    }
    return dump;
}

}  // namespace opdebug::report
