#include "logs/formats/format_pattern.hpp"

#include <algorithm>

#include "logs/lines/lexer.hpp"

namespace opdebug::logs {

void FormatPattern::compile() {
    std::call_once(is_compiled_, [this] {
        expression_.assign(pattern_, kPatternSyntax | boost::regex::save_subexpression_location);
        find_groups();
    });
}

/// Groups are found by number: Boost.Regex compares names in each match.
void FormatPattern::find_groups() {
    constexpr std::string_view kBegin = "(?<";
    const std::string_view pattern = pattern_;
    for (std::size_t group = 0; group < expression_.mark_count(); ++group) {
        const auto place = static_cast<std::size_t>(expression_.subexpression(group).first - expression_.begin());
        const std::string_view text = pattern.substr(place);
        const std::string_view name =
            text.starts_with(kBegin) ? front_while(text.substr(kBegin.size()), is_word) : std::string_view();
        const auto capture = std::find(captures_.begin(), captures_.end(), name);
        if (capture != captures_.end()) {
            groups_.push_back({static_cast<int>(group) + 1, static_cast<std::size_t>(capture - captures_.begin())});
        }
    }
}

bool FormatPattern::search(std::string_view text, StepsLeft& steps, CapturedTexts& texts) {
    compile();
    boost::match_results<BoundedIterator> match;
    const BoundedIterator begin(text.data(), steps);
    const BoundedIterator end(text.data() + text.size(), steps);
    if (!boost::regex_search(begin, end, match, expression_)) {
        return false;
    }
    texts.assign(captures_.size(), {});
    for (const auto& [number, capture] : groups_) {
        const auto& group = match[number];
        if (group.matched && texts[capture].data() == nullptr) {
            const char* const first = group.first.place();
            texts[capture] = {first, static_cast<std::size_t>(group.second.place() - first)};
        }
    }
    return true;
}

}  // namespace opdebug::logs
