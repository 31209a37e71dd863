#include "logs/files/log_parts.hpp"

#include <algorithm>
#include <cstdint>

#include "bytes/fetch.hpp"

namespace opdebug::logs {
namespace {

/// Never less than what a string keeps in itself: lines that are only pointed at must stay where they are when the part
/// is moved.
void make_room(std::string& buffer, std::size_t size) {
    constexpr std::size_t kLeast = 64;
    if (buffer.size() < std::max(size, kLeast)) {
        buffer.resize(std::max(size, kLeast));
    }
}

/// Where memory lies in a cache line as the bytes at `offset` of a file do: the system copies them a tenth faster then.
std::size_t alike_begin(const char* memory, std::uint64_t offset) noexcept {
    return static_cast<std::size_t>((offset - reinterpret_cast<std::uintptr_t>(memory)) % bytes::kCacheLine);
}

}  // namespace

/// Takes the bytes from `start` to the next line break away; all, and there is more to drop, when there is none.
void LogParts::drop_rest_of_line(std::size_t start) {
    const std::size_t line_break = std::min(begun_.text().find('\n', start), begun_.size);
    begun_.buffer.erase(start, line_break - start);
    begun_.size -= line_break - start;
    dropping_ = start == begun_.size;
}

/// Of a hole that goes on behind what was read two bytes tell: it may be far longer than lines are, and an entry may
/// stand behind it.
void LogParts::shorten_hole() {
    constexpr std::size_t kTells = 2;
    const std::size_t hole = begun_.text().find_last_not_of('\0') + 1;
    begun_.size = std::min(begun_.size, hole + kTells);
}

/// The whole lines of what is begun, of which `searched` bytes were there before the last read; what stands behind them
/// is begun, in the memory of `buffer`. A line that goes on stays where it is: to copy it at each read took minutes for
/// one of 64 MiB.
LogPart LogParts::take_lines(std::size_t searched, std::string buffer) {
    if (dropping_) {
        drop_rest_of_line(searched);
    }
    const std::size_t last = begun_.text().substr(searched).rfind('\n');
    LogPart behind{std::move(buffer)};
    if (last != std::string_view::npos) {
        const std::string_view rest = begun_.text().substr(searched + last + 1);
        make_room(behind.buffer, rest.size());
        std::copy(rest.begin(), rest.end(), behind.buffer.begin());
        behind.size = rest.size();
        begun_.size -= rest.size();
        std::swap(begun_, behind);
    }
    if (!dropping_) {
        shorten_hole();
    }
    dropping_ = dropping_ || begun_.size > line_bytes_;
    return behind;
}

LogRead LogParts::read(std::string buffer) {
    LogRead read;
    if (begun_.size == 0 && (read.unread = source_.skip_lines(read_size_))) {
        read.part.buffer = std::move(buffer);
        read.bytes = read.unread->size;
        return read;
    }
    const std::size_t begun = begun_.size;
    make_room(begun_.buffer, begun + read_size_);
    const Result<std::size_t> got = source_.read(begun_.buffer.data() + begun, read_size_);
    if (!got) {
        read.failure = got.error();
        return read;
    }
    read.bytes = *got;
    begun_.size += *got;
    read.part = *got == 0 ? std::exchange(begun_, {}) : take_lines(begun, std::move(buffer));
    return read;
}

void LogRead::finish() {
    if (!unread) {
        return;
    }
    make_room(part.buffer, unread->size + bytes::kCacheLine);
    part.begin = alike_begin(part.buffer.data(), unread->offset);
    BytesRead read = unread->read(part.buffer.data() + part.begin);
    bytes = read.count;
    part.size = read.count;
    failure = std::move(read.fault);
    if (read.count < unread->size) {  // its last line is cut
        part.size = part.text().rfind('\n') + 1;
    }
    unread.reset();
}

}  // namespace opdebug::logs
