#include "logs/log_parts.hpp"

#include <algorithm>

namespace opdebug::logs {

/// False at the end of the log, or when reading ends early.
bool LogParts::read_more(LogPart& part) {
    if (watch_.must_stop()) {
        return false;
    }
    if (part.buffer.size() < part.size + read_size_) {
        part.buffer.resize(part.size + read_size_);
    }
    const Result<std::size_t> got = source_.read(part.buffer.data() + part.size, read_size_);
    if (!got) {
        failure_ = got.error();
        return false;
    }
    part.size += *got;
    watch_.add(*got);
    return *got != 0;
}

/// Takes the bytes from `start` to the next line break away; all, and there is more to drop, when there is none.
void LogParts::drop_rest_of_line(LogPart& part, std::size_t start) {
    const std::size_t line_break = std::min(part.text().find('\n', start), part.size);
    part.buffer.erase(start, line_break - start);
    part.size -= line_break - start;
    dropping_ = start == part.size;
}

Result<std::optional<LogPart>> LogParts::next(std::string buffer) {
    if (failure_) {
        return *failure_;
    }
    LogPart part{std::move(buffer), begun_.size()};
    if (part.buffer.size() < begun_.size()) {
        part.buffer.resize(begun_.size());
    }
    std::copy(begun_.begin(), begun_.end(), part.buffer.begin());
    begun_.clear();
    std::size_t searched = part.size;
    while (read_more(part)) {
        if (dropping_) {
            drop_rest_of_line(part, searched);
        }
        const std::string_view added = part.text().substr(searched);
        if (const std::size_t last = added.rfind('\n'); last != std::string_view::npos) {
            begun_ = added.substr(last + 1);
            part.size = searched + last + 1;
            return std::optional<LogPart>(std::move(part));
        }
        dropping_ = dropping_ || part.size > line_bytes_;
        searched = part.size;
    }
    if (failure_) {
        return *failure_;  // without the line that was begun: its numbers may be cut
    }
    return part.size == 0 || watch_.stopped() ? std::optional<LogPart>() : std::optional<LogPart>(std::move(part));
}

}  // namespace opdebug::logs
