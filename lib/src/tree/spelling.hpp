// How the names of overflow dumps are spelled.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace opdebug::tree {

/// Of ASCII; other bytes stay, as in the locale "C".
constexpr char lower_case_of(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

inline bool equals_ignoring_case(std::string_view text, std::string_view lower_case) {
    return text.size() == lower_case.size() && std::equal(text.begin(), text.end(), lower_case.begin(),
                                                          [](char a, char b) { return lower_case_of(a) == b; });
}

/// "Opdebug" and "Node_OpDebug", in any case: documents spell them in other ways than writers do.
inline bool is_overflow_spelling(std::string_view op_type, std::string_view op_name) {
    return equals_ignoring_case(op_type, "opdebug") && equals_ignoring_case(op_name, "node_opdebug");
}

/// Whether a file's name begins as that of an overflow dump does, whatever follows.
inline bool begins_like_overflow_dump(std::string_view name) {
    const std::size_t first = name.find('.');
    if (first == std::string_view::npos) {
        return false;
    }
    const std::string_view rest = name.substr(first + 1);
    return is_overflow_spelling(name.substr(0, first), rest.substr(0, rest.find('.')));
}

/// A dump's name as it is compared with the names in its converted outputs: writers and documents spell the fixed part
/// differently, in the case of its letters only.
inline std::string one_spelling(std::string_view name) {
    std::string text(name);
    std::transform(text.begin(), text.end(), text.begin(), lower_case_of);
    return text;
}

}  // namespace opdebug::tree
