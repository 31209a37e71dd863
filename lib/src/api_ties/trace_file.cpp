#include "api_ties/trace_file.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api_ties/damaged_event.hpp"
#include "api_ties/event_reader.hpp"
#include "bytes/utf8.hpp"
#include "logs/files/byte_source.hpp"

namespace opdebug::api_ties {
namespace {

using json_stage::JsonCursor;
using json_stage::JsonStop;

constexpr std::size_t kPiece = std::size_t{256} << 10U;

/// Events that are passed over for damage: with more it is no trace any longer.
constexpr std::size_t kMostPassed = 10'000;

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
            const State state = damaged_ ? pass_damaged(window) : read_events(window);
            if (state == State::at_end) {
                return read_rest(window);
            }
            if (state == State::no_list) {
                return not_a_trace(path_, window.offset());
            }
            if (state == State::lost) {
                return told(ended("trace_damaged", "cannot be read on, for too much of it is damaged", window));
            }
            if (state == State::on_the_way) {
                continue;
            }
            if (options_.stop && options_.stop()) {
                return interrupted();
            }
            const Result<bool> more = window.read_on();
            if (!more || !*more) {
                return cut(window, more ? std::nullopt : std::optional(more.error()));
            }
            pass_byte_order_mark(window);
        }
    }

private:
    enum class State { needs_more, on_the_way, at_end, no_list, lost };

    State read_events(TraceWindow& window) {
        JsonCursor cursor(window.text(), options_.limits.call_nesting);
        std::size_t whole = 0;
        while (events_.read_some(cursor)) {
            whole = cursor.position();
        }
        window.pass(whole);
        if (events_.is_done()) {
            return State::at_end;
        }
        const bool is_damaged = cursor.stop() != JsonStop::end;
        const bool is_large = !is_damaged && window.text().size() > options_.limits.call_bytes;
        if (!is_damaged && !is_large) {
            return State::needs_more;
        }
        if (!events_.has_begun()) {
            return State::no_list;
        }
        if (passed_ == 0) {
            first_passed_ = window.offset() + (is_damaged ? cursor.position() - whole : 0);
            why_passed_ = is_large ? "has an event of more bytes than the limit call_bytes" : "is damaged";
        }
        damaged_.emplace(events_.is_first() || events_.is_behind_list());
        return ++passed_ > kMostPassed ? State::lost : State::on_the_way;
    }

    State pass_damaged(TraceWindow& window) {
        window.pass(damaged_->pass(window.text()));
        if (damaged_->is_lost()) {
            return State::lost;
        }
        if (!damaged_->is_over()) {
            return State::needs_more;
        }
        events_.go_on();
        damaged_.reset();
        return State::on_the_way;
    }

    /// Windows' editors write it. Nothing else of the file was read yet.
    static void pass_byte_order_mark(TraceWindow& window) noexcept {
        if (window.offset() == 0 && window.text().starts_with(bytes::kByteOrderMark)) {
            window.pass(bytes::kByteOrderMark.size());
        }
    }

    /// Behind the events of a packed trace its checksum shows whether they are what was packed.
    Result<std::vector<Diagnostic>> read_rest(TraceWindow& window) const {
        while (true) {
            window.pass(window.text().size());
            if (options_.stop && options_.stop()) {
                return interrupted();
            }
            const Result<bool> more = window.read_on();
            if (!more) {
                return told(ended("trace_damaged", words_of(more.error()), window));
            }
            if (!*more) {
                return told(std::nullopt);
            }
        }
    }

    /// The file ends, or cannot be read on. Without its list it is something else.
    Result<std::vector<Diagnostic>> cut(const TraceWindow& window, const std::optional<Error>& error) const {
        if (!events_.has_begun()) {
            return not_a_trace(path_, window.offset());
        }
        if (error) {
            return told(ended("trace_damaged", words_of(*error), window));
        }
        if (events_.is_behind_list() || (damaged_ && damaged_->has_list_end())) {
            return told(std::nullopt);
        }
        return told(damaged_
                        ? ended("trace_damaged", "has no further event behind its damage", window)
                        : ended("trace_cut", "ends early: its writer was ended, or it is still being written", window));
    }

    /// What is wrong with packed data is told in words for logs.
    static std::string words_of(const Error& error) {
        return error.code == ErrorCode::log_unreadable
                   ? "is packed, and its packed data are damaged, end early or ask for too much memory (copy it again, "
                     "or unpack it first)"
                   : "cannot be read on (" + error.message + ")";
    }

    Diagnostic ended(const char* code, std::string_view how, const TraceWindow& window) const {
        return {Severity::error, code,
                fmt::format("{}: at byte {}: the trace {}; its {} whole events up to there are used", path_,
                            window.offset() + window.text().size(), how, events_.events())};
    }

    std::vector<Diagnostic> told(const std::optional<Diagnostic>& end) const {
        std::vector<Diagnostic> all;
        if (passed_ != 0) {
            all.push_back({Severity::error, "trace_damaged",
                           fmt::format("{}: at byte {}: the trace {}; events that cannot be read are passed over, {} "
                                       "of them there and behind, and {} whole ones are used",
                                       path_, first_passed_, why_passed_, passed_, events_.events())});
        }
        if (end) {
            all.push_back(*end);
        }
        return all;
    }

    Error interrupted() const {
        return {ErrorCode::interrupted, "stopped before the trace was read", path_, std::nullopt};
    }

    const std::string& path_;
    const ApiTieOptions& options_;
    EventReader events_;
    std::optional<DamagedEvent> damaged_;  ///< the one that is being passed over
    std::size_t passed_ = 0;               ///< such events
    std::uint64_t first_passed_ = 0;       ///< where the first of them is
    const char* why_passed_ = "";
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
