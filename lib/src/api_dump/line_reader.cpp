#include "api_dump/line_reader.hpp"

#include <algorithm>

#include "bytes/utf8.hpp"

namespace opdebug::api_dump {
namespace {

/// A quotation mark that nothing closes costs its own line only: no cell is longer.
constexpr std::size_t kLongestQuoted = std::size_t{64} * 1024;

std::string_view without_mark(std::string_view text, std::uint64_t number) {
    const bool has_mark = number == 1 && text.starts_with(bytes::kByteOrderMark);
    return text.substr(has_mark ? bytes::kByteOrderMark.size() : 0);
}

/// Where the cell ends that the quotation mark at `begin` opens. npos: more text is needed. Nothing: it opens none.
/// Two marks inside a cell are one of its text (RFC 4180).
std::optional<std::size_t> end_of_quoted(std::string_view text, std::size_t begin, bool is_whole) {
    constexpr std::size_t kMore = std::string_view::npos;
    std::size_t at = begin;
    while (true) {
        at = std::min(text.find('"', at + 1), text.size());
        if (at - begin > kLongestQuoted) {
            return std::nullopt;
        }
        if (at == text.size()) {
            return is_whole ? std::nullopt : std::optional(kMore);
        }
        const bool is_doubled = at + 1 < text.size() && text[at + 1] == '"';
        if (!is_doubled) {
            const std::size_t next = text.find_first_not_of(" \t\r", at + 1);
            if (next == std::string_view::npos) {
                return is_whole ? at + 1 : kMore;
            }
            return text[next] == ',' || text[next] == '\n' ? std::optional(at + 1) : std::nullopt;
        }
        ++at;
    }
}

/// The first line break that no quoted cell holds, from the first one of all on. npos: more text is needed, or the last
/// line has none.
std::size_t end_outside_quotes(std::string_view text, std::size_t first_break, bool is_whole) {
    std::size_t end = first_break, cell = 0;
    while (cell < end) {
        const std::size_t begin = text.find_first_not_of(" \t", cell);
        if (begin < end && text[begin] == '"') {
            const std::optional<std::size_t> quoted = end_of_quoted(text, begin, is_whole);
            if (!quoted) {
                return first_break;
            }
            cell = *quoted;
            end = cell > end ? text.find('\n', std::min(cell, text.size())) : end;
            if (end == std::string_view::npos) {
                return end;
            }
        }
        const std::size_t comma = text.find(',', cell);
        cell = comma == std::string_view::npos ? text.size() : comma + 1;
    }
    return end;
}

}  // namespace

Result<std::optional<Line>> LineReader::next() {
    window_.pass(used_);
    used_ = 0;
    std::size_t searched = 0;
    bool is_whole = false;
    while (true) {
        const std::string_view text = window_.text();
        std::size_t end = text.find('\n', searched);
        searched = std::min(end, text.size());
        if (end != std::string_view::npos && line_end_ == LineEnd::outside_quotes) {
            end = end_outside_quotes(text, end, is_whole);
        }
        if (end != std::string_view::npos || is_whole) {
            const bool has_end = end != std::string_view::npos;
            used_ = has_end ? end + 1 : text.size();
            if (used_ == 0) {
                return std::optional<Line>();
            }
            if (const std::optional<Error> too_large = window_.refuse_call(used_); too_large && has_end) {
                return *too_large;
            }
            std::string_view line = text.substr(0, has_end ? end : text.size());
            line.remove_suffix(has_end && line.ends_with('\r') ? 1 : 0);
            const std::uint64_t number = number_ + 1;
            number_ += 1 + static_cast<std::uint64_t>(std::count(line.begin(), line.end(), '\n'));
            return std::optional<Line>({without_mark(line, number), number, has_end});
        }
        const Result<bool> more = window_.read_on();
        if (!more) {
            return more.error();
        }
        is_whole = !*more;
    }
}

}  // namespace opdebug::api_dump
