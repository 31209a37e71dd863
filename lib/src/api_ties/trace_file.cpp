#include "api_ties/trace.hpp"

#include <charconv>
#include <limits>
#include <memory>
#include <utility>

#include "api_dump/file_text.hpp"
#include "json/cursor.hpp"
#include "json/values.hpp"
#include "logs/files/byte_source.hpp"
#include "tree/name.hpp"

namespace opdebug::api_ties {
namespace {

using api_dump::FileWindow;
using api_dump::StreamEnd;
using json_stage::JsonCursor;
using json_stage::JsonScalar;
using json_stage::JsonStop;

constexpr std::int64_t kNanoseconds = 1000;

/// Reads a string or number. Skips other values as empty.
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

/// Passes each member of an object to `use`. Skips other values.
template <class Use>
bool read_members(JsonCursor& cursor, const Use& use) {
    char next = 0;
    if (!cursor.peek(next)) {
        return false;
    }
    return next == '{' ? json_stage::each_member(cursor, use) : cursor.skip_value();
}

bool read_argument(JsonCursor& cursor, std::string_view key, TraceEvent& event) {
    std::optional<std::uint64_t>* const id = key == "Stream Id"          ? &event.stream
                                             : key == "Physic Stream Id" ? &event.physical_stream
                                             : key == "Task Id"          ? &event.task
                                                                         : nullptr;
    std::string_view text;
    if (id == nullptr && key != "Sequence number") {
        return cursor.skip_value();
    }
    if (!read_text(cursor, text)) {
        return false;
    }
    const std::optional<std::uint64_t> number = tree::parse_number(text);
    if (id != nullptr) {
        *id = number;
    } else {
        const bool fits = number && *number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
        event.sequence = fits ? std::optional(static_cast<std::int64_t>(*number)) : std::nullopt;
    }
    return true;
}

bool read_trace_event(JsonCursor& cursor, TraceEvent& event) {
    return read_members(cursor, [&](std::string_view key) {
        if (key == "args") {
            return read_members(cursor, [&](std::string_view name) { return read_argument(cursor, name, event); });
        }
        std::string_view microseconds;
        const bool is_time = key == "ts" || key == "dur";
        std::string_view* const text = is_time         ? &microseconds
                                       : key == "ph"   ? &event.phase
                                       : key == "name" ? &event.name
                                       : key == "cat"  ? &event.category
                                       : key == "id"   ? &event.id
                                       : key == "pid"  ? &event.process
                                       : key == "tid"  ? &event.thread
                                                       : nullptr;
        if (!(text == nullptr ? cursor.skip_value() : read_text(cursor, *text))) {
            return false;
        }
        if (is_time) {
            (key == "ts" ? event.start_ns : event.duration_ns) = nanoseconds_in(microseconds);
        }
        return true;
    });
}

Error not_a_trace(const std::string& path, std::uint64_t offset) {
    return {ErrorCode::trace_invalid,
            "not a trace of the PyTorch profiler for Ascend: expected a JSON list of events; use trace_view.json in "
            "the folder ASCEND_PROFILER_OUTPUT",
            path, offset};
}

Result<FileWindow> open_window(const std::string& path, const ApiReadOptions& options) {
    Result<logs::ByteSource> opened = logs::ByteSource::open(path);
    if (!opened) {
        Error error = std::move(opened).error();
        if (error.code == ErrorCode::log_unreadable) {  // the message is for logs
            error = {ErrorCode::trace_invalid,
                     "this is an archive: unpack it first, then use the trace_view.json inside", path, std::nullopt};
        }
        return error;
    }
    const auto source = std::make_shared<logs::ByteSource>(std::move(*opened));
    return FileWindow([source](char* buffer, std::size_t count) { return source->read(buffer, count); }, path, options);
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

std::optional<Error> read_trace_file(const std::string& path, const ApiTieOptions& options,
                                     const std::function<void(const TraceEvent&)>& use) {
    const ApiReadOptions read_options{options.stop, options.limits};
    Result<FileWindow> window = open_window(path, read_options);
    if (!window) {
        return window.error();
    }
    api_dump::ItemStream events(
        {.items = "traceEvents", .bracket = '[', .may_be_items = true},
        [](JsonCursor& cursor, std::string_view) { return cursor.skip_value(); },
        [&use](JsonCursor& cursor, std::string_view) {
            TraceEvent event;
            const bool was_read = read_trace_event(cursor, event);
            if (was_read) {
                use(event);
            }
            return was_read;
        });
    const Result<StreamEnd> end = events.read(*window, options.limits.call_nesting);
    if (!end && end.error().code != ErrorCode::log_unreadable) {
        return end.error();
    }
    if (!events.has_items()) {
        return not_a_trace(path, window->offset());
    }
    // The end of the list might be a damaged byte: then other text follows.
    bool is_whole = end && end->stop == JsonStop::end && events.are_items_closed();
    if (end && end->is_closed) {
        const Result<bool> is_end = api_dump::is_end_of_file(*window);
        is_whole = is_end && *is_end;
    }
    return is_whole ? std::nullopt
                    : std::optional(Error{ErrorCode::trace_invalid,
                                          "the trace is damaged or truncated: copy it again, or record a new trace",
                                          path, window->offset() + (end ? end->position : 0)});
}

}  // namespace opdebug::api_ties
