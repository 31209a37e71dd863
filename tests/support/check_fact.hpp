// Facts that must be the same in all members.
#pragma once

#include <doctest/doctest.h>

#include "logs/facts/task_map.hpp"

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
    for (const logs::NumberMember& number : logs::kNumbers) {
        CAPTURE(number.name);
        CHECK(stored.fact.*number.member == expected.fact.*number.member);
    }
    for (const logs::TextMember& text : logs::kTexts) {
        CAPTURE(text.name);
        CHECK(stored.fact.*text.member == expected.fact.*text.member);
    }
    for (const logs::FlagMember& flag : logs::kFlags) {
        CAPTURE(flag.name);
        CHECK(stored.fact.*flag.member == expected.fact.*flag.member);
    }
    for (const auto further : {&logs::StoredFact::submit, &logs::StoredFact::completed_by}) {
        REQUIRE((stored.*further).has_value() == (expected.*further).has_value());
        if (expected.*further) {
            check_line(*(stored.*further), *(expected.*further));
        }
    }
}

}  // namespace opdebug::test
