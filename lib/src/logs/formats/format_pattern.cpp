// Named groups: Boost.Regex does not list them, so the pattern is scanned. The text that every line contains: cheap to
// search for before the pattern runs, found by a small parser of Perl's syntax. It knows what the patterns of log
// formats use; on all else it gives up, because a wrong literal would hide lines.
#include "logs/formats/format_pattern.hpp"

#include <algorithm>
#include <optional>

#include "logs/lines/lexer.hpp"

namespace opdebug::logs {
namespace {

/// The length of the character class that starts at "[": a "]" right after "[" or "[^" belongs to it.
std::size_t class_length(std::string_view pattern) noexcept {
    std::size_t index = pattern.starts_with("[^") ? 2U : 1U;
    if (index < pattern.size() && pattern[index] == ']') {
        ++index;
    }
    while (index < pattern.size() && pattern[index] != ']') {
        index += pattern[index] == '\\' ? 2U : 1U;
    }
    return std::min(index + 1, pattern.size());
}

constexpr std::size_t kMostGroupsNested = 64;  // groups inside one another; each is one call of a function

/// What one part of a pattern adds to each match.
struct Part {
    std::optional<std::string> text;  ///< all that the part matches, where that is always the same
    std::string required;             ///< else a text that each of its matches contains
    bool has_width = true;            ///< false for assertions, next to which a run of characters continues

    /// An assertion inside may require more than the text.
    std::string longest() const { return text && text->size() >= required.size() ? *text : required; }
};

Part no_width(std::string required = {}) {
    return {std::nullopt, std::move(required), false};
}

bool is_one_of(char c, std::string_view set) noexcept {
    return set.find(c) != std::string_view::npos;
}

class PatternParser {
public:
    explicit PatternParser(std::string_view pattern) : rest_(pattern) {}

    std::string literal() {
        const Part whole = alternatives(0);
        const bool is_read = !gave_up_ && rest_.empty();  // a bracket too many stays in the rest
        return is_read ? whole.longest() : std::string();
    }

private:
    Part give_up() {
        gave_up_ = true;
        rest_ = {};
        return {};
    }

    bool pass(std::string_view text) {
        const bool is_next = rest_.starts_with(text);
        rest_.remove_prefix(is_next ? text.size() : 0);
        return is_next;
    }

    char take() {
        const char next = rest_.front();
        rest_.remove_prefix(1);
        return next;
    }

    /// Ends before the closing bracket, or at the end of the pattern. Of several alternatives nothing is known.
    Part alternatives(std::size_t nested) {
        Part part = sequence(nested);
        while (pass("|")) {
            sequence(nested);
            part = {};
        }
        return part;
    }

    Part sequence(std::size_t nested) {
        std::string run, longest;
        bool is_exact = true;
        const auto keep_longest = [&longest](const std::string& text) {
            longest = text.size() > longest.size() ? text : longest;
        };
        while (!rest_.empty() && !is_one_of(rest_.front(), "|)")) {
            if (is_word(rest_.front()) && rest_.size() > 1 && !is_one_of(rest_[1], "?*+{")) {
                run += take();
                continue;
            }
            const Part part = quantified(nested);
            keep_longest(part.required);
            if (part.text) {
                run += *part.text;
            } else if (part.has_width) {
                keep_longest(run);
                run.clear();
                is_exact = false;
            }
        }
        keep_longest(run);
        return is_exact ? Part{run, longest, true} : Part{std::nullopt, longest, true};
    }

    Part quantified(std::size_t nested) {
        Part part = atom(nested);
        if (rest_.empty() || !is_one_of(rest_.front(), "?*+{")) {
            return part;
        }
        const char quantifier = take();
        const bool may_be_none = is_one_of(quantifier, "?*") || (quantifier == '{' && rest_.starts_with('0'));
        if (quantifier == '{' && !pass_bounds()) {
            return give_up();
        }
        if (!pass("?")) {  // as few as possible
            pass("+");     // possessive
        }
        if (!rest_.empty() && is_one_of(rest_.front(), "?*+{")) {
            return give_up();
        }
        return may_be_none ? Part{std::nullopt, {}, part.has_width}
                           : Part{std::nullopt, part.longest(), part.has_width};
    }

    bool pass_bounds() {
        const std::size_t end = rest_.find('}');
        const std::string_view bounds = rest_.substr(0, end);
        const bool are_some = end != std::string_view::npos && !bounds.empty() && is_digit(bounds.front()) &&
                              bounds.find_first_not_of("0123456789,") == std::string_view::npos;
        rest_.remove_prefix(are_some ? end + 1 : 0);
        return are_some;
    }

    Part atom(std::size_t nested) {
        const char next = take();
        switch (next) {
            case '\\': return escape();
            case '[': return character_class();
            case '(': return group(nested + 1);
            case '.': return {};
            case '^':
            case '$': return no_width();
            case '?':
            case '*':
            case '+':
            case '{':
            case '}':
            case ']': return give_up();
            default: return {std::string(1, next), {}, true};
        }
    }

    Part escape() {
        if (rest_.empty()) {
            return give_up();
        }
        const char next = take();
        if (is_one_of(next, "dDwWsS")) {
            return {};
        }
        if (is_one_of(next, "bBAzZ")) {
            return no_width();
        }
        // Letters and digits have other meanings, and so have these four in Boost.Regex.
        return is_word(next) || is_one_of(next, "<>`'") ? give_up() : Part{std::string(1, next), {}, true};
    }

    /// "]" is a member where it comes first; "[:alpha:]" is one inside.
    Part character_class() {
        pass("^");
        pass("]");
        while (!rest_.empty() && rest_.front() != ']') {
            const char next = take();
            if (next == '[' && !rest_.empty() && is_one_of(rest_.front(), ":.=")) {
                return give_up();
            }
            if (next == '\\' && !rest_.empty()) {
                take();
            }
        }
        return pass("]") ? Part{} : give_up();
    }

    Part group(std::size_t nested) {
        if (nested > kMostGroupsNested) {
            return give_up();
        }
        const bool is_excluded = pass("?!") || pass("?<!");
        const bool is_assertion = is_excluded || pass("?=") || pass("?<=");
        if (!is_assertion && !pass("?:") && pass("?") && !pass_name()) {
            return give_up();
        }
        const Part inner = alternatives(nested);
        if (!pass(")")) {
            return give_up();
        }
        if (is_excluded) {
            return no_width();
        }
        return is_assertion ? no_width(inner.longest()) : inner;
    }

    /// The name of a group in angle brackets.
    bool pass_name() {
        if (!pass("<")) {
            return false;
        }
        const std::string_view name = front_while(rest_, is_word);
        rest_.remove_prefix(name.size());
        return !name.empty() && pass(">");
    }

    std::string_view rest_;
    bool gave_up_ = false;
};

}  // namespace

std::string literal_of_pattern(std::string_view pattern) {
    return PatternParser(pattern).literal();
}

std::vector<std::string> named_groups(std::string_view pattern) {
    std::vector<std::string> names;
    while (!pattern.empty()) {
        std::size_t length = 1;
        if (pattern.front() == '\\') {
            length = 2;
        } else if (pattern.front() == '[') {
            length = class_length(pattern);
        } else if (pattern.starts_with("(?<")) {
            const std::string name(front_while(pattern.substr(3), is_word));
            if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) {
                names.push_back(name);
            }
        }
        pattern.remove_prefix(std::min(length, pattern.size()));
    }
    return names;
}

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
