// Log entries that run together in one line, and holes in lines.
#pragma once

#include <cstddef>
#include <string_view>

namespace opdebug::logs {

/// Lines of processes that write to one place may run together, without a line break between.
struct EntryInside {
    std::string_view entry;  ///< from where it begins to the end of the text; empty where there is none
};

/// Where bytes of the text begin that were never written: the file system gives NULs for them. npos where there are
/// none. One NUL alone may have been written, by who counts the end of a text as a part of it.
inline std::size_t find_hole(std::string_view text) noexcept {
    return text.find(std::string_view("\0\0", 2));
}

/// The first entry that begins inside `text`.
EntryInside entry_inside(std::string_view text);

}  // namespace opdebug::logs
