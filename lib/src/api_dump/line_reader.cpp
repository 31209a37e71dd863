#include "api_dump/line_reader.hpp"

#include "bytes/utf8.hpp"

namespace opdebug::api_dump {
namespace {

std::string_view without_mark(std::string_view text, std::uint64_t number) {
    const bool has_mark = number == 1 && text.starts_with(bytes::kByteOrderMark);
    return text.substr(has_mark ? bytes::kByteOrderMark.size() : 0);
}

}  // namespace

Result<std::optional<Line>> LineReader::next() {
    window_.pass(used_);
    used_ = 0;
    std::size_t searched = 0;
    while (true) {
        const std::string_view text = window_.text();
        const std::size_t end = text.find('\n', searched);
        if (end != std::string_view::npos) {
            used_ = end + 1;
            if (const std::optional<Error> too_large = window_.refuse_call(used_)) {
                return *too_large;
            }
            const bool has_return = end != 0 && text[end - 1] == '\r';
            ++number_;
            return std::optional<Line>(
                {without_mark(text.substr(0, end - (has_return ? 1 : 0)), number_), number_, true});
        }
        searched = text.size();
        const Result<bool> more = window_.read_on();
        if (!more) {
            return more.error();
        }
        if (!*more) {
            used_ = window_.text().size();
            if (used_ == 0) {
                return std::optional<Line>();
            }
            ++number_;
            return std::optional<Line>({without_mark(window_.text(), number_), number_, false});
        }
    }
}

}  // namespace opdebug::api_dump
