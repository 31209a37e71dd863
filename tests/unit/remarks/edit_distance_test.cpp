// How many letters of a word are wrong.
#include "remarks/edit_distance.hpp"

#include <doctest/doctest.h>

using opdebug::remarks::edit_distance;

TEST_CASE("edit distance: letters to insert, remove or replace; capital letters equal small ones") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("", "scan") == 4);
    CHECK(edit_distance("scan", "") == 4);
    CHECK(edit_distance("scam", "scan") == 1);
    CHECK(edit_distance("scn", "scan") == 1);
    CHECK(edit_distance("sccan", "scan") == 1);
    CHECK(edit_distance("csan", "scan") == 2);
    CHECK(edit_distance("SCAN", "scan") == 0);
    CHECK(edit_distance("tree", "logs") == 4);
}
