// The named groups of a log format's pattern. Boost.Regex does not tell them, so the pattern is scanned.
#include "logs/formats/format_captures.hpp"

#include <algorithm>

#include "logs/facts/fact.hpp"
#include "logs/text/lexer.hpp"

namespace opdebug::logs {
namespace {

/// The length of the character class that starts at "[": a "]" right behind "[" or "[^" belongs to it.
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

}  // namespace

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

bool is_number_member(std::string_view name) noexcept {
    return std::any_of(number_members().begin(), number_members().end(),
                       [name](const NumberMember& member) { return member.name == name; });
}

bool is_fact_member(std::string_view name) noexcept {
    const auto has_name = [name](const auto& member) { return name == "of_model" || member.name == name; };
    return std::any_of(number_members().begin(), number_members().end(), has_name) ||
           std::any_of(text_members().begin(), text_members().end(), has_name);
}

}  // namespace opdebug::logs
