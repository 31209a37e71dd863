// Lines of a known shape on tasks that nobody asked for: two to four numbers of each are read and nothing else, a tenth
// of the instructions of reading its statement. What else such a line must have, its shape has: it is asked once.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "logs/formats/unasked_format.hpp"
#include "logs/formats/unasked_line.hpp"
#include "logs/formats/wanted.hpp"
#include "logs/patterns/pattern_matcher.hpp"

namespace opdebug::logs {

/// What tells of a line of the shape that nobody asked for its task. All places are in the rest of the line. No member
/// has a value by itself: there is room for thousands of shapes whose memory is not touched before they are learnt.
struct UnaskedShape {
    /// A number of one to eight digits, or one that all lines of the format state.
    struct Id {
        std::uint16_t end;
        std::uint8_t digits;  ///< 0: it is `constant`
        std::uint8_t constant;
    };
    struct Place {
        std::uint16_t begin, size;
    };

    UnaskedUse use;
    FactKind kind;
    Id stream_id, task_id, device_id, task_type;
    Place node;                      ///< its name, where it may make the line needed
    std::array<Place, 2> addresses;  ///< of a launch
};

/// `rest`: of a line of the shape, which has these captures.
UnaskedShape unasked_shape_of(const CompiledFormat& format, const CapturedTexts& texts, std::string_view rest) noexcept;

/// `rest`: of a line of the shape, whose use is not to be read. `ids` are set where the line is to be listed. Somebody
/// must ask for certain tasks.
UnaskedUse read_unasked(const UnaskedShape& shape, std::string_view rest, const Wanted& wanted,
                        UnaskedIds& ids) noexcept;

}  // namespace opdebug::logs
