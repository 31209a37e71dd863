// Facts: what they need, and facts that are filled again.
#include "logs/facts/fact.hpp"

#include <doctest/doctest.h>

#include "logs/facts/task_map.hpp"

using namespace opdebug::logs;

TEST_CASE("fact: one that is cleared is like a new one") {
    StoredFact stored;
    Fact& fact = stored.fact;
    fact.kind = FactKind::nothing;
    fact.log = LogKind::device_log;
    fact.format_id = "some.format";
    for (const NumberMember& number : number_members()) {
        fact.*number.member = 7;
    }
    for (const TextMember& text : text_members()) {
        fact.*text.member = "a text";
    }
    fact.task_id_provisional = fact.task_id_unconfirmed = fact.task_id_from_sn = true;
    fact.of_model = fact.name_cut = true;
    CHECK_FALSE(says_the_same(stored.fact, Fact()));
    clear(fact);
    CHECK(says_the_same(stored.fact, Fact()));
}

TEST_CASE("fact: it is complete with all that its kind requires and one of what it may have") {
    for (std::size_t kind = 0; kind <= static_cast<std::size_t>(FactKind::nothing); ++kind) {
        Fact fact;
        fact.kind = static_cast<FactKind>(kind);
        const Requirement needed = requirement(fact.kind);
        CAPTURE(to_string(fact.kind));
        const auto give = [&fact](std::string_view name) {
            for (const NumberMember& number : number_members()) {
                if (number.name == name) {
                    fact.*number.member = 0;
                }
            }
            for (const TextMember& text : text_members()) {
                if (text.name == name) {
                    fact.*text.member = "a name";
                }
            }
        };
        CHECK(is_complete(fact) == (needed.all.empty() && needed.any.empty()));
        for (const std::string_view name : needed.all) {
            CHECK_FALSE(is_complete(fact));
            give(name);
        }
        CHECK(is_complete(fact) == needed.any.empty());
        if (!needed.any.empty()) {
            give(needed.any.back());
            CHECK(is_complete(fact));
        }
    }
}
