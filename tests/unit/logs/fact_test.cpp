// Facts: what they need.
#include "logs/facts/fact.hpp"

#include <doctest/doctest.h>

using namespace opdebug::logs;

TEST_CASE("fact: it is complete with all that its kind requires and one of what it may have") {
    for (std::size_t kind = 0; kind <= static_cast<std::size_t>(FactKind::nothing); ++kind) {
        Fact fact;
        fact.kind = static_cast<FactKind>(kind);
        const Requirement needed = requirement(fact.kind);
        CAPTURE(to_string(fact.kind));
        const auto give = [&fact](std::string_view name) {
            for (const NumberMember& number : kNumbers) {
                if (number.name == name) {
                    fact.*number.member = 0;
                }
            }
            for (const TextMember& text : kTexts) {
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
