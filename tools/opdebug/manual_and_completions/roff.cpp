#include "manual_and_completions/roff.hpp"

#include <algorithm>
#include <cctype>

namespace opdebug::tool::roff {
namespace {

bool is_word_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
}

bool is_upper_case(std::string_view word) {
    return std::all_of(word.begin(), word.end(),
                       [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; });
}

}  // namespace

std::string escaped(std::string_view text) {
    // \& at the beginning: a dot there would make the line a request.
    std::string result = !text.empty() && text.front() == '.' ? "\\&" : "";
    for (const char c : text) {
        switch (c) {
            case '\\': result += "\\e"; break;
            case '-': result += "\\-"; break;
            case '\'': result += "\\(aq"; break;
            case '`': result += "\\(ga"; break;
            case '"': result += "\\(dq"; break;
            case '~': result += "\\(ti"; break;
            case '^': result += "\\(ha"; break;
            default: result += c;
        }
    }
    return result;
}

std::string bold(std::string_view text) {
    return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(std::string_view text) {
    return "\\fI" + escaped(text) + "\\fR";
}

std::string usage(std::string_view text) {
    std::string result;
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end) {
        for (end = begin; end < text.size() && is_word_character(text[end]);) {
            ++end;
        }
        if (end == begin) {
            ++end;
            result += escaped(text.substr(begin, 1));
            continue;
        }
        const std::string_view word = text.substr(begin, end - begin);
        const bool in_brackets = begin > 0 && text[begin - 1] == '[' && end < text.size() && text[end] == ']';
        const bool is_placeholder = is_upper_case(word) || (in_brackets && word.front() != '-');  // DIR, [options]
        result += is_placeholder ? italic(word) : bold(word);
    }
    return result;
}

}  // namespace opdebug::tool::roff
