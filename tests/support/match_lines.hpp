// The lines of one part of a log, read by itself.
#pragma once

#include <cstdint>
#include <string_view>

#include <opdebug/result.hpp>

#include "logs/formats/wanted.hpp"
#include "logs/reading/part_reader.hpp"

namespace opdebug::test {

inline logs::StatedLines match_lines(std::string_view text, const logs::LogFormats& formats,
                                     std::uint64_t line_bytes = Limits().line_bytes,
                                     const logs::Wanted& wanted = logs::Wanted()) {
    return logs::PartReader(formats, line_bytes, wanted).read(text);
}

}  // namespace opdebug::test
