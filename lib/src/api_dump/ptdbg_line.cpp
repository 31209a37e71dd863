// A line of a .pkl of ptdbg_ascend.
#include "api_dump/readers.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api_dump/call_name.hpp"
#include "json/values.hpp"
#include "tree/name.hpp"

namespace opdebug::api_dump {

using json_stage::JsonCursor;
using json_stage::JsonScalar;

namespace {

constexpr std::uint64_t kMaxLineNesting = 16;  // real lines have 3

constexpr std::int64_t kOverflowFlag = 101;

/// One field of a line: a scalar, or a list with only its scalar members.
struct Field {
    bool is_list = false;
    JsonScalar scalar;
    std::vector<JsonScalar> items;  ///< lists among them are null
};

bool read_items(JsonCursor& cursor, std::vector<JsonScalar>& items) {
    return json_stage::each_item(cursor, [&] {
        char next = 0;
        if (!cursor.peek(next)) {
            return false;
        }
        JsonScalar item;
        if (next == '[' || next == '{' ? !cursor.skip_value() : !cursor.scalar(item)) {
            return false;
        }
        items.push_back(item);
        return true;
    });
}

bool read_field(JsonCursor& cursor, Field& field) {
    char next = 0;
    if (!cursor.peek(next)) {
        return false;
    }
    field.is_list = next == '[';
    return field.is_list ? read_items(cursor, field.items) : cursor.scalar(field.scalar);
}

/// Reads [path, "line", function, code or null]; writes it like msprobe's stack.json.
bool read_frame(JsonCursor& cursor, std::string& text) {
    std::vector<JsonScalar> parts;
    if (!read_items(cursor, parts) || parts.size() < 3) {
        return false;
    }
    text = fmt::format("File {}, line {}, in {}", parts[0].text, parts[1].text, parts[2].text);
    if (parts.size() > 3 && parts[3].kind == JsonScalar::Kind::text) {
        text += fmt::format(", \n {}", parts[3].text);
    }
    return true;
}

bool read_frames(JsonCursor& cursor, std::vector<std::string>& frames) {
    return json_stage::each_item(cursor, [&] {
        std::string frame;
        if (!read_frame(cursor, frame)) {
            return false;
        }
        frames.push_back(std::move(frame));
        return true;
    });
}

/// Side and index in {call}{separator}{input|output}[.index].
struct ValueName {
    std::string_view call;
    ApiValueKind kind = ApiValueKind::input;
    std::string_view index;
};

std::optional<ValueName> value_name(std::string_view whole) {
    std::string_view name = whole;
    for (NameParts parts = split_last(name, '.'); tree::is_decimal(parts.back); parts = split_last(name, '.')) {
        name = parts.front;
    }
    const std::string_view index = whole.substr(std::min(whole.size(), name.size() + 1));
    const std::size_t separator = name.find_last_of("._");
    if (separator == std::string_view::npos || separator == 0) {
        return std::nullopt;
    }
    const std::string_view kind = name.substr(separator + 1);
    if (kind != "input" && kind != "output") {
        return std::nullopt;
    }
    return ValueName{name.substr(0, separator), kind == "input" ? ApiValueKind::input : ApiValueKind::output, index};
}

/// Collectives are also hooked before they run. The writer renames their lines, but not all.
std::string call_of(std::string_view name) {
    constexpr std::string_view kBefore = "pre_forward";
    std::string call(name);
    if (call.size() > kBefore.size() && call.ends_with(kBefore)) {
        call.replace(call.size() - kBefore.size(), kBefore.size(), "forward");
    }
    return call;
}

/// [max, min, mean] or [max, min, mean, norm]. An empty list or the text "Nan" means: not computed.
void read_statistics(const Field& field, ApiValue& value) {
    const auto number = [&field](std::size_t i) {
        const bool is_there = i < field.items.size() && field.items[i].text != "Nan";
        return is_there ? number_of(field.items[i]) : std::nullopt;
    };
    value.max = number(0);
    value.min = number(1);
    value.norm = number(3);
}

/// The tool of 2022 wrote the values themselves, or a part of them.
void read_samples(const Field& field, ApiValue& value) {
    for (const JsonScalar& item : field.items) {
        const std::optional<double> number = number_of(item);
        if (!number) {
            continue;
        }
        if (!value.max || std::isnan(*number)) {
            value.max = value.min = number;
        } else if (!std::isnan(*value.max)) {
            value.max = std::max(*value.max, *number);
            value.min = std::min(*value.min, *number);
        }
    }
}

bool is_text(const Field& field) noexcept {
    return !field.is_list && field.scalar.kind == JsonScalar::Kind::text;
}

/// Scalars have the text "[]" as shape.
void read_shape(const Field& field, ApiValue& value) {
    value.is_scalar = !field.is_list;
    for (const JsonScalar& item : field.items) {
        const std::int64_t extent = integer_of(item).value_or(0);
        value.shape.push_back(extent > 0 ? static_cast<std::uint64_t>(extent) : 0);
    }
}

/// The fields after the name: flag, checksum, dtype, shape and, since 2023, statistics. In 2022: values, dtype, shape.
std::optional<ApiValue> value_of(const std::vector<Field>& fields) {
    const bool is_of_2022 = fields.size() == 3;
    const std::size_t dtype = is_of_2022 ? 1 : 2;
    const bool has_list = is_of_2022 ? fields[0].is_list : fields.size() == 4 || fields.size() == 5;
    if (!has_list || !is_text(fields[dtype])) {
        return std::nullopt;
    }
    ApiValue value;
    value.dtype = element_name(fields[dtype].scalar.text);
    read_shape(fields[dtype + 1], value);
    if (is_of_2022) {
        read_samples(fields[0], value);
    } else if (is_text(fields[1])) {
        value.checksum = fields[1].scalar.text;
    }
    if (fields.size() == 5) {
        read_statistics(fields[4], value);
    }
    return value;
}

bool read_fields(JsonCursor& cursor, std::vector<Field>& fields) {
    constexpr std::size_t kMost = 5;
    while (true) {
        bool closed = false;
        if (!cursor.next_member(']', false, closed)) {
            return false;
        }
        if (closed) {
            return true;
        }
        if (fields.size() == kMost || !read_field(cursor, fields.emplace_back())) {
            return false;
        }
    }
}

}  // namespace

std::optional<PtdbgLine> read_ptdbg_line(std::string_view line, bool with_frames) {
    JsonCursor cursor(line, kMaxLineNesting);
    JsonScalar name;
    if (!cursor.expect('[') || !cursor.scalar(name) || name.kind != JsonScalar::Kind::text) {
        return std::nullopt;
    }
    constexpr std::string_view kStack = "stack_info";
    PtdbgLine read;
    if (name.text.size() > kStack.size() + 1 && name.text.ends_with(kStack)) {
        read.call = call_of(name.text.substr(0, name.text.size() - kStack.size() - 1));
        const bool is_whole = cursor.expect(',') &&
                              (with_frames ? read_frames(cursor, read.frames) : cursor.skip_value()) &&
                              cursor.expect(']');
        return is_whole ? std::optional<PtdbgLine>(std::move(read)) : std::nullopt;
    }
    std::vector<Field> fields;
    const std::optional<ValueName> name_parts = value_name(name.text);
    if (!name_parts || !read_fields(cursor, fields) || fields.size() < 3) {
        return std::nullopt;
    }
    read.call = call_of(name_parts->call);
    read.value = value_of(fields);
    if (!read.value) {
        return std::nullopt;
    }
    read.value->kind = name_parts->kind;
    read.value->index = name_parts->index.empty() ? "0" : name_parts->index;
    read.is_overflow = fields.size() > 3 && integer_of(fields[0].scalar) == kOverflowFlag;
    return read;
}

}  // namespace opdebug::api_dump
