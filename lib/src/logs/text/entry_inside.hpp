// Log entries that run together in one line.
#pragma once

#include <string_view>

namespace opdebug::logs {

/// Lines of processes that write to one place may run together, without a line break between.
struct EntryInside {
    std::string_view entry;    ///< from where it begins to the end of the text; empty where there is none
    bool is_possible = false;  ///< there is one, or there would be with other digits or hexadecimal numbers
};

/// The first entry that begins inside `text`.
EntryInside entry_inside(std::string_view text);

}  // namespace opdebug::logs
