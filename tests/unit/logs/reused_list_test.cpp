// A list whose elements keep their memory.
#include "logs/matching/reused_list.hpp"

#include <string>

#include <doctest/doctest.h>

using opdebug::logs::ReusedList;

TEST_CASE("reused list: elements that were cleared or dropped are added again with what they held") {
    ReusedList<std::string> list;
    CHECK(list.empty());
    list.add("first");
    list.add() = "second";
    list.drop_last();
    CHECK(list.size() == 1);
    CHECK(list.add() == "second");
    list.clear();
    CHECK(list.begin() == list.end());
    CHECK(list.add() == "first");
}

TEST_CASE("reused list: one that was moved from is empty") {
    ReusedList<std::string> list;
    list.add("first");
    ReusedList<std::string> other(std::move(list));
    CHECK(other.size() == 1);
    CHECK(list.empty());  // NOLINT(bugprone-use-after-move): that is the purpose
    list = std::move(other);
    CHECK(list.size() == 1);
    CHECK(other.empty());  // NOLINT(bugprone-use-after-move)
    CHECK(list.add().empty());
}
