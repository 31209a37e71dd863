#include "json/values.hpp"

#include <charconv>

namespace opdebug::json_stage {

bool read_scalar(JsonCursor& cursor, JsonScalar::Kind kind, std::string_view& text) {
    JsonScalar scalar;
    if (!cursor.scalar(scalar) || scalar.kind != kind) {
        return false;
    }
    text = scalar.text;
    return true;
}

bool is_null(JsonCursor& cursor) {
    char next = 0;
    return cursor.peek(next) && next == 'n';
}

bool read_number(JsonCursor& cursor, std::uint64_t& number) {
    std::string_view digits;
    if (!read_scalar(cursor, JsonScalar::Kind::number, digits)) {
        return false;
    }
    const char* const end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data(), end, number);
    return read.ec == std::errc() && read.ptr == end;
}

bool read_truth(JsonCursor& cursor, bool& truth) {
    std::string_view word;
    const bool is_one = read_scalar(cursor, JsonScalar::Kind::truth, word);
    truth = word == "true";
    return is_one;
}

}  // namespace opdebug::json_stage
