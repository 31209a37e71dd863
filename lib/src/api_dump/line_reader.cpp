#include "api_dump/line_reader.hpp"

namespace opdebug::api_dump {

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
            return std::optional<Line>({text.substr(0, end - (has_return ? 1 : 0)), ++number_, true});
        }
        searched = text.size();
        const Result<bool> more = window_.read_on();
        if (!more) {
            return more.error();
        }
        if (!*more) {
            used_ = window_.text().size();
            return used_ == 0 ? std::optional<Line>() : std::optional<Line>({window_.text(), ++number_, false});
        }
    }
}

}  // namespace opdebug::api_dump
