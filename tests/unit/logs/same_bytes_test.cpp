// Comparing bytes word by word, against std::string's.
#include "logs/text/same_bytes.hpp"

#include <string>

#include <doctest/doctest.h>

using opdebug::logs::same_bytes;

TEST_CASE("same bytes: each byte counts, and none behind them") {
    for (std::size_t size = 0; size < 70; ++size) {
        const std::string text(size, 'a');
        std::string other = text + "b";  // after
        REQUIRE(same_bytes(text.data(), other.data(), size));
        for (std::size_t place = 0; place < size; ++place) {
            other[place] = 'b';
            REQUIRE_FALSE(same_bytes(text.data(), other.data(), size));
            other[place] = 'a';
        }
    }
}
