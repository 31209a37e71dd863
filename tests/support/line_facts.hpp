// What the built-in log formats read from one line.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <doctest/doctest.h>

#include "logs/formats/formats.hpp"

namespace opdebug::test {

/// The statement of a line of process 41; `rest` is what is after the time.
inline std::optional<logs::Fact> fact_of(std::string_view module, std::string_view rest) {
    const std::string text =
        "[ERROR] " + std::string(module) + "(41,app):2021-03-04-05:06:07.008.009 " + std::string(rest);
    const std::optional<logs::LogLine> line = logs::parse_line(text);
    REQUIRE_MESSAGE(line.has_value(), text);
    std::optional<logs::Match> match = logs::built_in_log_formats()->match(*line);
    return match ? std::optional<logs::Fact>(std::move(match->fact)) : std::nullopt;
}

/// The same; the test fails when the line states nothing.
inline logs::Fact stated(std::string_view module, std::string_view rest) {
    const std::optional<logs::Fact> fact = fact_of(module, rest);
    REQUIRE_MESSAGE(fact.has_value(), rest);
    return *fact;
}

/// A built-in definition; the test fails when there is none of that id.
inline const logs::FormatDefinition& definition(std::string_view id) {
    static const auto definitions = logs::built_in_log_formats()->definitions();
    const auto found =
        std::find_if(definitions.begin(), definitions.end(), [id](const auto* format) { return format->id == id; });
    REQUIRE_MESSAGE(found != definitions.end(), id);
    return **found;
}

}  // namespace opdebug::test
