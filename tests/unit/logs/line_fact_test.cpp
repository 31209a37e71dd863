// Facts as views into the lines that state them.
#include "logs/facts/line_fact.hpp"

#include <string>

#include <doctest/doctest.h>

using namespace opdebug::logs;

namespace {

StoredFact stored_of(const Fact& fact) {
    StoredFact stored;
    stored.fact = fact;
    return stored;
}

bool are_the_same(const Fact& a, const Fact& b) {
    return says_the_same(stored_of(a).fact, stored_of(b).fact);
}

}  // namespace

TEST_CASE("line fact: each member by itself is that of the whole fact") {
    const std::string name = "a name";
    LineFact line;
    for (std::size_t index = 0; index < kNumbers.size(); ++index) {
        line.begin(FactKind::submit, LogKind::device_log);
        line.set_number(index, index == 0 ? UINT64_MAX : 0);
        Fact expected;
        expected.kind = FactKind::submit;
        expected.log = LogKind::device_log;
        expected.format_id = "some.format";
        expected.*kNumbers[index].member = index == 0 ? UINT64_MAX : 0;
        CAPTURE(kNumbers[index].name);
        CHECK(are_the_same(whole_fact(line, "some.format"), expected));
        CHECK(is_complete(line) == is_complete(expected));
        line.drop_number(index);
        CHECK_FALSE(line.number(index));
    }
    for (std::size_t index = 0; index < kTexts.size(); ++index) {
        line.begin(FactKind::graph_name, LogKind::ge_log);
        line.set_text(index, name);
        Fact expected;
        expected.kind = FactKind::graph_name;
        expected.*kTexts[index].member = name;
        CAPTURE(kTexts[index].name);
        CHECK(are_the_same(whole_fact(line, ""), expected));
        line.set_text((index + 1) % kTexts.size(), "");
        CHECK(line.text((index + 1) % kTexts.size()).empty());
        CHECK(are_the_same(whole_fact(line, ""), expected));
        line.set_text(index, "");
        expected.*kTexts[index].member = "";
        CHECK(are_the_same(whole_fact(line, ""), expected));
    }
    for (std::size_t index = 0; index < kFlags.size(); ++index) {
        line.begin(FactKind::nothing, LogKind::ge_log);
        line.set_flag(index, true);
        line.set_flag((index + 1) % kFlags.size(), false);
        Fact expected;
        expected.kind = FactKind::nothing;
        expected.*kFlags[index].member = true;
        CAPTURE(kFlags[index].name);
        CHECK(are_the_same(whole_fact(line, ""), expected));
        line.set_flag(index, false);
        expected.*kFlags[index].member = false;
        CHECK(are_the_same(whole_fact(line, ""), expected));
    }
}

TEST_CASE("line fact: a whole fact that is filled again has nothing of what it was") {
    LineFact line;
    line.begin(FactKind::kernel_of_task, LogKind::runtime_log);
    for (std::size_t index = 0; index < kNumbers.size(); ++index) {
        line.set_number(index, 7);
    }
    for (std::size_t index = 0; index < kTexts.size(); ++index) {
        line.set_text(index, "a text");
    }
    for (std::size_t index = 0; index < kFlags.size(); ++index) {
        line.set_flag(index, true);
    }
    Fact fact = whole_fact(line, "some.format");
    CHECK(is_complete(line));
    line.begin(FactKind::kernel_of_task, LogKind::ge_log);
    CHECK_FALSE(is_complete(line));
    copy_fact(line, "", fact);
    Fact expected;
    expected.kind = FactKind::kernel_of_task;
    CHECK(are_the_same(fact, expected));
}
