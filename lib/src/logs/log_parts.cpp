#include "logs/log_parts.hpp"

#include <algorithm>

namespace opdebug::logs {
namespace {

void make_room(std::string& buffer, std::size_t size) {
    if (buffer.size() < size) {
        buffer.resize(size);
    }
}

}  // namespace

/// Takes the bytes from `start` to the next line break away; all, and there is more to drop, when there is none.
void LogParts::drop_rest_of_line(LogPart& part, std::size_t start) {
    const std::size_t line_break = std::min(part.text().find('\n', start), part.size);
    part.buffer.erase(start, line_break - start);
    part.size -= line_break - start;
    dropping_ = start == part.size;
}

/// Leaves whole lines in `part`, which had `searched` bytes before the last read; the line behind them is begun.
void LogParts::cut_behind_lines(LogPart& part, std::size_t searched) {
    if (dropping_) {
        drop_rest_of_line(part, searched);
    }
    const std::size_t last = part.text().substr(searched).rfind('\n');
    const std::size_t size = last == std::string_view::npos ? 0 : searched + last + 1;
    dropping_ = dropping_ || part.size - size > line_bytes_;
    begun_ = part.text().substr(size);
    part.size = size;
}

LogRead LogParts::read(std::string buffer) {
    LogRead read;
    LogPart& part = read.part;
    part.buffer = std::move(buffer);
    if (begun_.empty() && (read.unread = source_.skip_lines(read_size_))) {
        read.bytes = read.unread->size;
        return read;
    }
    const std::size_t begun = begun_.size();
    make_room(part.buffer, begun + read_size_);
    std::copy(begun_.begin(), begun_.end(), part.buffer.begin());
    const Result<std::size_t> got = source_.read(part.buffer.data() + begun, read_size_);
    if (!got) {
        read.failure = got.error();
        return read;
    }
    read.bytes = *got;
    part.size = begun + *got;
    if (*got == 0) {
        begun_.clear();
    } else {
        cut_behind_lines(part, begun);
    }
    return read;
}

void LogRead::finish() {
    if (!unread) {
        return;
    }
    make_room(part.buffer, unread->size);
    BytesRead read = unread->read(part.buffer.data());
    bytes = read.count;
    part.size = read.count;
    failure = std::move(read.fault);
    if (read.count < unread->size) {  // its last line is cut
        part.size = part.text().rfind('\n') + 1;
    }
    unread.reset();
}

}  // namespace opdebug::logs
