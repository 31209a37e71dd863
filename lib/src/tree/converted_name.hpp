// File names of converted dumps: {dump name}.output.{index}.json, the same for msaccucmp, MindSpore and msprobe.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tree/number.hpp"

namespace opdebug::tree {

struct ConvertedName {
    std::string_view dump_name;  ///< points into the name that was given
    std::uint64_t output_index = 0;
};

/// Takes the name of a converted output apart. Nothing when it has another form; `dump_name` is not examined.
inline std::optional<ConvertedName> parse_converted_name(std::string_view name) noexcept {
    constexpr std::string_view kEnding = ".json";
    constexpr std::string_view kOutput = ".output.";
    if (name.size() < kEnding.size() || name.substr(name.size() - kEnding.size()) != kEnding) {
        return std::nullopt;
    }
    name.remove_suffix(kEnding.size());
    const std::size_t output = name.rfind(kOutput);
    if (output == std::string_view::npos || output == 0) {
        return std::nullopt;
    }
    const auto index = parse_number(name.substr(output + kOutput.size()));
    return index ? std::optional<ConvertedName>({name.substr(0, output), *index}) : std::nullopt;
}

}  // namespace opdebug::tree
