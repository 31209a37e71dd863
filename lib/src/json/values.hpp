// Values of a required type, read with the cursor. Each function reads one value and returns false for another type. Do
// not read on after false.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "json/cursor.hpp"

namespace opdebug::json_stage {

/// An object: `use` receives the key of each member and reads its value.
template <class Use>
bool each_member(JsonCursor& cursor, Use use) {
    if (!cursor.expect('{')) {
        return false;
    }
    for (bool first = true;; first = false) {
        bool closed = false;
        std::string_view key;
        if (!cursor.next_member('}', first, closed) || closed) {
            return closed;
        }
        if (!cursor.key(key) || !use(key)) {
            return false;
        }
    }
}

/// A list: `use` reads each item.
template <class Use>
bool each_item(JsonCursor& cursor, Use use) {
    if (!cursor.expect('[')) {
        return false;
    }
    for (bool first = true;; first = false) {
        bool closed = false;
        if (!cursor.next_member(']', first, closed) || closed) {
            return closed;
        }
        if (!use()) {
            return false;
        }
    }
}

/// The content of a string, or the word or digits of another value.
bool read_scalar(JsonCursor& cursor, JsonScalar::Kind kind, std::string_view& text);

/// An unsigned integer of 64 bits.
bool read_number(JsonCursor& cursor, std::uint64_t& number);
bool read_number(JsonCursor& cursor, int& number);
bool read_truth(JsonCursor& cursor, bool& truth);

/// Whether null is next. Consumes nothing.
bool is_null(JsonCursor& cursor);

}  // namespace opdebug::json_stage
