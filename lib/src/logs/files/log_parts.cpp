#include "logs/files/log_parts.hpp"

#include <algorithm>
#include <string_view>

namespace opdebug::logs {

/// Takes the bytes from `start` to the next line break away; all, and there is more to drop, when there is none.
void LogParts::drop_rest_of_line(std::size_t start) {
    const std::size_t line_break = std::min(begun_.find('\n', start), begun_.size());
    begun_.erase(start, line_break - start);
    dropping_ = start == begun_.size();
}

/// Shortens a hole that continues after the bytes read so far. Two bytes are enough to recognise it; the hole may be
/// far longer than a line, and an entry may follow it.
void LogParts::shorten_hole() {
    constexpr std::size_t kTells = 2;
    const std::size_t hole = begun_.find_last_not_of('\0') + 1;
    begun_.resize(std::min(begun_.size(), hole + kTells));
}

/// Returns the complete lines of the buffer, which had `searched` bytes before the last read, and keeps the rest. An
/// unfinished line stays in the buffer: it may be long, and need many reads.
std::string LogParts::take_lines(std::size_t searched) {
    if (dropping_) {
        drop_rest_of_line(searched);
    }
    const std::size_t last = std::string_view(begun_).substr(searched).rfind('\n');
    std::string lines;
    if (last != std::string_view::npos) {
        lines = std::exchange(begun_, begun_.substr(searched + last + 1));
        lines.resize(searched + last + 1);
    }
    if (!dropping_) {
        shorten_hole();
    }
    dropping_ = dropping_ || begun_.size() > line_bytes_;
    return lines;
}

LogRead LogParts::read() {
    LogRead read;
    const std::size_t begun = begun_.size();
    begun_.resize(begun + read_size_);
    const Result<std::size_t> got = source_.read(begun_.data() + begun, read_size_);
    if (!got) {
        read.failure = got.error();
        return read;
    }
    read.bytes = *got;
    begun_.resize(begun + *got);
    read.lines = *got == 0 ? std::exchange(begun_, {}) : take_lines(begun);
    return read;
}

LogStep LogSteps::begin(const std::string& path) {
    LogStep step{&path, true, {}};
    Result<ByteSource> source = ByteSource::open(path);
    if (!source) {
        step.read.failure = std::move(source.error());
    } else {
        open_.emplace(std::move(*source), read_size_, line_bytes_);
    }
    return step;
}

std::optional<LogStep> LogSteps::next() {
    if (!open_) {
        return begun_ == paths_.size() ? std::nullopt : std::optional(begin(paths_[begun_++]));
    }
    LogStep step{&paths_[begun_ - 1], false, open_->read()};
    if (step.read.failure || step.read.bytes == 0) {
        open_.reset();
    }
    return step;
}

}  // namespace opdebug::logs
