// The lines of one part of a log, matched by itself.
#pragma once

#include <cstdint>
#include <string_view>

#include <opdebug/result.hpp>

#include "logs/formats/wanted.hpp"
#include "logs/matching/matched_lines.hpp"

namespace opdebug::test {

inline logs::MatchedLines match_lines(std::string_view text, std::uint64_t first_number,
                                      const logs::LogFormats& formats, std::uint64_t line_bytes = Limits().line_bytes,
                                      const logs::Wanted& wanted = logs::Wanted()) {
    return logs::LineMatcher(formats, line_bytes, wanted).match(text, first_number);
}

}  // namespace opdebug::test
