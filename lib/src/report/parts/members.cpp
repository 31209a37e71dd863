#include "report/parts/members.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bytes/utf8.hpp"
#include "report/text/numbers_and_times.hpp"

namespace opdebug::report {

using json_stage::JsonCursor;
using json_stage::JsonScalar;

void write_exact(std::string_view text, JsonWriter& json) {
    bytes::is_utf8(text) ? json.value(text) : json.value([&] { json.member("hex", hex_of_bytes(text)); });
}

bool read_exact(JsonCursor& cursor, std::string& text) {
    char next = 0;
    std::string_view written;
    if (!cursor.peek(next)) {
        return false;
    }
    if (next != '{') {
        const bool is_text = json_stage::read_scalar(cursor, JsonScalar::Kind::text, written);
        text = written;
        return is_text;
    }
    bool is_hex = false;
    const bool is_object = json_stage::each_member(cursor, [&](std::string_view key) {
        if (key != "hex") {
            return cursor.skip_value();
        }
        is_hex = json_stage::read_scalar(cursor, JsonScalar::Kind::text, written) && bytes_of_hex(written, text);
        return is_hex;
    });
    return is_object && is_hex;
}

bool read_double(JsonCursor& cursor, double& number) {
    bool is_number = false;
    if (!cursor.number(number, is_number) || is_number) {
        return is_number;
    }
    std::string_view word;
    if (!json_stage::read_scalar(cursor, JsonScalar::Kind::text, word)) {
        return false;
    }
    number = word == "nan" ? std::numeric_limits<double>::quiet_NaN()
                           : (word == "-inf" ? -1 : 1) * std::numeric_limits<double>::infinity();
    return word == "nan" || word == "inf" || word == "-inf";
}

bool has_sound_texts(std::string_view line) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20; };
    return bytes::is_utf8(line) && std::none_of(line.begin(), line.end(), is_control);
}

}  // namespace opdebug::report
