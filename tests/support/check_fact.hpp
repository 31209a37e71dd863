// Facts that must be the same in all members.
#pragma once

#include <doctest/doctest.h>

#include "logs/facts/fact_members.hpp"

namespace opdebug::test {

inline void check_line(const logs::LogPlace& line, const logs::LogPlace& expected) {
    CHECK(line.file == expected.file);
    CHECK(line.line == expected.line);
    CHECK(line.text == expected.text);
    CHECK(line.log == expected.log);
}

inline void check_fact(const logs::StoredFact& stored, const logs::StoredFact& expected) {
    CHECK(stored.fact.kind == expected.fact.kind);
    CHECK(stored.fact.log == expected.fact.log);
    CHECK(stored.fact.format_id == expected.fact.format_id);
    CHECK(stored.tid == expected.tid);
    CHECK(stored.time_us == expected.time_us);
    CHECK(stored.from_saved_map == expected.from_saved_map);
    check_line(stored.place, expected.place);
    for (const logs::NumberMember& number : logs::number_members()) {
        CAPTURE(number.name);
        CHECK(stored.fact.*number.member == expected.fact.*number.member);
    }
    for (const logs::TextMember& text : logs::text_members()) {
        CAPTURE(text.name);
        CHECK(stored.fact.*text.member == expected.fact.*text.member);
    }
    for (const logs::FlagMember& flag : logs::kFlags) {
        CAPTURE(flag.name);
        CHECK(stored.fact.*flag.member == expected.fact.*flag.member);
    }
    for (const logs::PlaceMember& further : logs::kPlaces) {
        CAPTURE(further.name);
        REQUIRE(static_cast<bool>(stored.*further.member) == static_cast<bool>(expected.*further.member));
        if (expected.*further.member) {
            check_line(*(stored.*further.member), *(expected.*further.member));
        }
    }
}

}  // namespace opdebug::test
