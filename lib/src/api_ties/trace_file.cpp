#include "api_ties/trace_file.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "logs/byte_source.hpp"

namespace opdebug::api_ties {
namespace {

using json_stage::JsonCursor;
using json_stage::JsonStop;

constexpr std::size_t kPiece = std::size_t{256} << 10U;

/// The part of the file that is being read; wide enough for one event.
class TraceWindow {
public:
    explicit TraceWindow(logs::ByteSource source) : source_(std::move(source)) {}

    std::string_view text() const noexcept { return std::string_view(buffer_).substr(first_); }
    std::uint64_t offset() const noexcept { return offset_; }

    void pass(std::size_t count) noexcept {
        first_ += count;
        offset_ += count;
    }

    /// False at the end. What was read before an error stays.
    Result<bool> read_on() {
        buffer_.erase(0, first_);
        first_ = 0;
        const std::size_t before = buffer_.size();
        buffer_.resize(before + std::max(kPiece, before));
        Result<std::size_t> got = source_.read(buffer_.data() + before, buffer_.size() - before);
        buffer_.resize(before + (got ? *got : 0));
        return got ? Result<bool>(*got != 0) : Result<bool>(std::move(got).error());
    }

private:
    logs::ByteSource source_;
    std::string buffer_;
    std::size_t first_ = 0;
    std::uint64_t offset_ = 0;
};

/// Where in the file the reading is.
class EventReader {
public:
    explicit EventReader(const std::function<void(const TraceEvent&)>& use) : use_(use) {}

    /// One event, or what stands before and behind the list. False: the cursor has stopped, or all is read.
    bool read_some(JsonCursor& cursor) {
        switch (place_) {
            case Place::start: return read_start(cursor);
            case Place::members: return read_member(cursor);
            case Place::events: return read_event(cursor);
            case Place::behind: return false;
        }
        return false;
    }
    bool is_done() const noexcept { return place_ == Place::behind; }
    bool has_begun() const noexcept { return place_ != Place::start && place_ != Place::members; }
    std::uint64_t events() const noexcept { return events_; }

private:
    enum class Place { start, members, events, behind };

    bool read_start(JsonCursor& cursor) {
        char next = 0;
        if (!cursor.peek(next)) {
            return false;
        }
        if (next != '[' && next != '{') {
            return cursor.malformed();
        }
        cursor.pass();
        place_ = next == '[' ? Place::events : Place::members;
        return true;
    }

    bool read_member(JsonCursor& cursor) {
        bool closed = false;
        std::string_view key;
        if (!cursor.next_member('}', first_, closed)) {
            return false;
        }
        if (closed) {
            return cursor.malformed();  // an object without events
        }
        char next = 0;
        if (!cursor.key(key) || !cursor.peek(next)) {
            return false;
        }
        if (key == "traceEvents" && next == '[') {
            cursor.pass();
            place_ = Place::events;
            first_ = true;
            return true;
        }
        if (!cursor.skip_value()) {
            return false;
        }
        first_ = false;
        return true;
    }

    bool read_event(JsonCursor& cursor) {
        bool closed = false;
        if (!cursor.next_member(']', first_, closed)) {
            return false;
        }
        if (closed) {
            place_ = Place::behind;
            return true;
        }
        TraceEvent event;
        if (!read_trace_event(cursor, event)) {
            return false;
        }
        ++events_;
        first_ = false;
        use_(event);
        return true;
    }

    const std::function<void(const TraceEvent&)>& use_;
    Place place_ = Place::start;
    bool first_ = true;
    std::uint64_t events_ = 0;
};

Error not_a_trace(const std::string& path, std::uint64_t offset) {
    return {ErrorCode::trace_invalid,
            "this is no trace of PyTorch's profiler for Ascend: a JSON list of events was expected; give the "
            "trace_view.json of the folder ASCEND_PROFILER_OUTPUT",
            path, offset};
}

class TraceReading {
public:
    TraceReading(const std::string& path, const ApiTieOptions& options,
                 const std::function<void(const TraceEvent&)>& use)
        : path_(path), options_(options), events_(use) {}

    Result<std::vector<Diagnostic>> read(TraceWindow window) {
        while (true) {
            JsonCursor cursor(window.text(), options_.limits.call_nesting);
            std::size_t whole = 0;
            while (events_.read_some(cursor)) {
                whole = cursor.position();
            }
            if (events_.is_done()) {
                return std::vector<Diagnostic>();
            }
            window.pass(whole);
            if (cursor.stop() != JsonStop::end) {
                return broken("trace_damaged", "is damaged", window.offset() + (cursor.position() - whole));
            }
            if (window.text().size() > options_.limits.call_bytes) {
                return broken("trace_damaged", "has an event of more bytes than the limit call_bytes", window.offset());
            }
            if (options_.stop && options_.stop()) {
                return Error{ErrorCode::interrupted, "stopped before the trace was read", path_, std::nullopt};
            }
            const Result<bool> more = window.read_on();
            if (!more) {
                return broken("trace_damaged", more.error().message, window.offset());
            }
            if (!*more) {
                return broken("trace_cut", "ends early: its writer was ended, or it is still being written",
                              window.offset() + window.text().size());
            }
        }
    }

private:
    /// Without its list the file is something else.
    Result<std::vector<Diagnostic>> broken(const char* code, std::string_view what, std::uint64_t offset) const {
        if (!events_.has_begun()) {
            return not_a_trace(path_, offset);
        }
        return std::vector<Diagnostic>{
            {Severity::error, code,
             fmt::format("{}: at byte {}: the trace {}; its {} whole events up to there are used", path_, offset, what,
                         events_.events())}};
    }

    const std::string& path_;
    const ApiTieOptions& options_;
    EventReader events_;
};

}  // namespace

Result<std::vector<Diagnostic>> read_trace_file(const std::string& path, const ApiTieOptions& options,
                                                const std::function<void(const TraceEvent&)>& use) {
    Result<logs::ByteSource> source = logs::ByteSource::open(path);
    if (!source) {
        Error error = std::move(source).error();
        if (error.code == ErrorCode::log_unreadable) {  // an archive; the words are those for logs
            error = {ErrorCode::trace_invalid,
                     "this is an archive: unpack it first and give the trace_view.json inside", path, std::nullopt};
        }
        return error;
    }
    return TraceReading(path, options, use).read(TraceWindow(std::move(*source)));
}

}  // namespace opdebug::api_ties
