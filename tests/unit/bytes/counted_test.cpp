// Numbers with the words that they count.
#include <doctest/doctest.h>

#include <string>

#include "bytes/counted.hpp"

using namespace opdebug;

TEST_CASE("counted: one has the singular, everything else the plural") {
    CHECK(bytes::counted(0, "dump") == "0 dumps");
    CHECK(bytes::counted(1, "dump") == "1 dump");
    CHECK(bytes::counted(18446744073709551615U, "operator dump") == "18446744073709551615 operator dumps");
    CHECK(bytes::counted(1, "process", "processes") == "1 process");
    CHECK(bytes::counted(2, "process", "processes") == "2 processes");
    CHECK(bytes::is_or_are(1) == std::string("is"));
    CHECK(bytes::is_or_are(0) == std::string("are"));
}
