#include "command_line/limit_option.hpp"

#include <cstdint>
#include <limits>
#include <string_view>

namespace opdebug::tool {
namespace {

/// "64", "8K", "64M", "1G"; nothing for other texts and for what 64 bits cannot hold.
std::optional<std::uint64_t> parse_size(std::string text) {
    constexpr std::string_view kSuffixes = "KMG";
    const std::size_t power = text.empty() ? std::string_view::npos : kSuffixes.find(text.back());
    const unsigned bits = power == std::string_view::npos ? 0 : 10 * (static_cast<unsigned>(power) + 1);
    if (bits != 0) {
        text.pop_back();
    }
    const std::optional<std::uint64_t> number = parse_count(text);
    const bool fits = number && *number <= std::numeric_limits<std::uint64_t>::max() >> bits;
    return fits ? std::optional<std::uint64_t>(*number << bits) : std::nullopt;
}

}  // namespace

Option limit_option() {
    return {"limit", repeated(text_value("NAME=NUMBER")),
            "raises or lowers a limit of what is taken from files, as file_bytes=256M (K, M, G: powers of 1024); may "
            "be repeated; names: see LIMITS in the manual page"};
}

std::optional<std::string> read_limit_option(const ParsedArguments& arguments, Limits& limits) {
    for (const std::string& given : arguments.texts("limit")) {
        const std::size_t equals = given.find('=');
        const std::optional<std::uint64_t> number =
            equals == std::string::npos ? std::nullopt : parse_size(given.substr(equals + 1));
        if (!number) {
            return "--limit is a form like file_bytes=256M, not '" + given + "'";
        }
        if (const auto error = set_limit(limits, given.substr(0, equals), *number)) {
            return "--limit " + given + ": " + error->message;
        }
    }
    return std::nullopt;
}

}  // namespace opdebug::tool
