#include "api_ties/trace_event.hpp"

#include <charconv>
#include <limits>

#include "json/values.hpp"
#include "tree/number.hpp"

namespace opdebug::api_ties {
namespace {

using json_stage::JsonCursor;
using json_stage::JsonScalar;

constexpr std::int64_t kNanoseconds = 1000;

/// A text or number; empty for other values, which are passed.
bool read_text(JsonCursor& cursor, std::string_view& text) {
    char next = 0;
    text = {};
    if (!cursor.peek(next)) {
        return false;
    }
    if (next == '{' || next == '[') {
        return cursor.skip_value();
    }
    JsonScalar value;
    if (!cursor.scalar(value)) {
        return false;
    }
    if (value.kind == JsonScalar::Kind::text || value.kind == JsonScalar::Kind::number) {
        text = value.text;
    }
    return true;
}

/// The members of an object, each given to `use`; another value is passed.
template <class Use>
bool read_members(JsonCursor& cursor, const Use& use) {
    char next = 0;
    if (!cursor.peek(next)) {
        return false;
    }
    return next == '{' ? json_stage::each_member(cursor, use) : cursor.skip_value();
}

bool read_arguments(JsonCursor& cursor, TraceEvent& event) {
    return read_members(cursor, [&](std::string_view key) {
        std::string_view text;
        if (key != "Stream Id" && key != "Physic Stream Id" && key != "Task Id" && key != "Sequence number") {
            return cursor.skip_value();
        }
        if (!read_text(cursor, text)) {
            return false;
        }
        if (key == "Sequence number") {
            const auto number = tree::parse_number(text);
            const bool fits = number && *number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
            event.sequence = fits ? std::optional<std::int64_t>(static_cast<std::int64_t>(*number)) : std::nullopt;
        } else {
            (key == "Stream Id" ? event.stream
             : key == "Task Id" ? event.task
                                : event.physical_stream) = tree::parse_number(text);
        }
        return true;
    });
}

std::string_view* member_of(TraceEvent& event, std::string_view key) {
    return key == "ph"     ? &event.phase
           : key == "name" ? &event.name
           : key == "cat"  ? &event.category
           : key == "id"   ? &event.id
           : key == "pid"  ? &event.process
           : key == "tid"  ? &event.thread
                           : nullptr;
}

}  // namespace

std::optional<std::int64_t> nanoseconds_in(std::string_view text) {
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / kNanoseconds - 1;
    const std::size_t point = text.find('.');
    const auto whole = tree::parse_number(text.substr(0, point));
    const std::string_view rest = point == std::string_view::npos ? std::string_view() : text.substr(point + 1);
    if (whole && (rest.empty() || tree::is_decimal(rest))) {
        if (*whole > static_cast<std::uint64_t>(kMost)) {
            return std::nullopt;
        }
        std::int64_t fraction = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            fraction = fraction * 10 + (i < rest.size() ? rest[i] - '0' : 0);
        }
        return static_cast<std::int64_t>(*whole) * kNanoseconds + fraction;
    }
    double number = 0;  // with an exponent
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data(), end, number);
    const bool is_time =
        parsed.ec == std::errc() && parsed.ptr == end && number >= 0 && number < static_cast<double>(kMost);
    return is_time ? std::optional<std::int64_t>(static_cast<std::int64_t>(number * kNanoseconds)) : std::nullopt;
}

bool read_trace_event(JsonCursor& cursor, TraceEvent& event) {
    return read_members(cursor, [&](std::string_view key) {
        if (key == "args") {
            return read_arguments(cursor, event);
        }
        if (key == "ts" || key == "dur") {
            std::string_view text;
            if (!read_text(cursor, text)) {
                return false;
            }
            (key == "ts" ? event.start_ns : event.duration_ns) = nanoseconds_in(text);
            return true;
        }
        std::string_view* const member = member_of(event, key);
        return member == nullptr ? cursor.skip_value() : read_text(cursor, *member);
    });
}

}  // namespace opdebug::api_ties
