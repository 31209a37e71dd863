// Where the lines of a text end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace opdebug::logs {

/// The line feeds of a piece of a text. A piece is so short that it is still in the processor's first cache when its
/// lines are looked at.
struct LineBreakPlaces {
    static constexpr std::size_t kPiece = 8192;

    std::array<std::uint16_t, kPiece + 1> places;  ///< the first `count` are set; one more may be written to
    std::size_t count = 0;
    bool others = false;  ///< "\r" or "\f" stands in the piece
};

/// In `found`. The piece must have at most kPiece bytes. With AVX2 where the processor has it: a call for each line,
/// and two for the other breaks, took a tenth of the instructions of reading a log.
void find_line_breaks(std::string_view piece, LineBreakPlaces& found) noexcept;

/// The same without vectors, for other processors.
void find_line_breaks_one_by_one(std::string_view piece, LineBreakPlaces& found) noexcept;

}  // namespace opdebug::logs
