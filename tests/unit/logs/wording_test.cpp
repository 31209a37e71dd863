// What packed facts have alike: forms of lines, texts that others have as well.
#include "logs/packing/wording.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "check_fact.hpp"
#include "logs/packing/packed_facts.hpp"

using namespace opdebug;
using namespace opdebug::logs;
using namespace opdebug::test;

TEST_CASE("wording: lines are kept as differences to the first one of their format and role") {
    PackedFacts facts;
    const std::string words = " of a line that has some more words than these, as lines have";
    for (int i = 0; i < 3; ++i) {
        StoredFact stored;
        stored.fact.format_id = i == 2 ? "other" : "some";
        stored.place.text = fmt::format("launch {}{}", i, words);
        stored.submit = LogPlace{0, 1, fmt::format("submit {}{}", i, words), {}};
        facts.add(view_of(stored));
    }
    const FactView second = facts[1];
    REQUIRE(second.place.text.form != nullptr);
    CHECK(second.place.text.form->line() == "launch 0" + words);
    CHECK(second.place.text.difference == "\x07\x03");  // the number 1
    REQUIRE(second.further[0].text.form != nullptr);
    CHECK(second.further[0].text.form->line() == "submit 0" + words);
    CHECK(second.further[0].text.difference == "\x07\x03");
    REQUIRE(facts[2].place.text.form != nullptr);
    CHECK(facts[2].place.text.form->line() == "launch 2" + words);
    StoredFact replaced = stored_fact(second);
    replaced.place.text = "launch 5" + words;
    facts.replace(1, view_of(replaced));
    CHECK(facts[1].place.text.difference == "\x07\x0b");
    CHECK(stored_fact(facts[1]).place.text == "launch 5" + words);
    CHECK(stored_fact(facts[1]).submit->text == "submit 1" + words);
}

TEST_CASE("wording: a line of another function than the first of its format becomes a form, too, up to three") {
    PackedFacts facts;
    const auto line_of = [](int function, int number) {
        return fmt::format("{}: n={}, and some words", std::string(60, static_cast<char>('a' + function)), number);
    };
    for (int number = 0; number < 3; ++number) {
        for (int function = 0; function < 4; ++function) {
            StoredFact stored;
            stored.fact.format_id = "some";
            stored.place.text = line_of(function, number);
            facts.add(view_of(stored));
        }
    }
    std::set<const LineForm*> forms;
    for (std::size_t place = 0; place < facts.size(); ++place) {
        const FactView fact = facts[place];
        forms.insert(fact.place.text.form);
        CHECK(whole_line(fact, fact.place) == line_of(static_cast<int>(place % 4), static_cast<int>(place / 4)));
    }
    CHECK(forms.size() == 4);  // and none
}

TEST_CASE("wording: opened and packed anew they have the same forms, whatever lines made them") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    std::mt19937 random(seed);
    for (int round = 0; round < 300; ++round) {
        PackedFacts facts;
        for (int i = 0; i < 12; ++i) {
            StoredFact stored;
            stored.fact.format_id = "some";
            stored.fact.kernel_name = std::string(random() % 3 == 0 ? 500 : 8, static_cast<char>('a' + random() % 3));
            stored.time_us = 1'614'834'367'008'009 + static_cast<std::int64_t>(random() % 3);
            const std::uint64_t number = 100 + random() % 3;
            stored.fact.model_id = number;
            std::string line(random() % 60, static_cast<char>('-' + random() % 3));
            line += random() % 2 == 0 ? " 2021-03-04-05:06:07.008.009 " : "";
            for (std::size_t count = random() % 40; count > 0; --count) {
                line += fmt::format("{} ", random() % 4 == 0 ? number + 1 : number);
            }
            line += random() % 2 == 0 ? stored.fact.kernel_name : "";
            stored.place.text = line;
            facts.add(view_of(stored));
        }
        std::vector<std::size_t> order(facts.size());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), random);
        PackedFacts again = facts.without_facts();
        for (const std::size_t place : order) {
            const StoredFact stored = stored_fact(facts[place]);
            again.add(view_of(stored));
        }
        for (std::size_t place = 0; place < order.size(); ++place) {
            const LineText before = facts[order[place]].place.text;
            const LineText after = again[place].place.text;
            REQUIRE(after.form == before.form);
            REQUIRE(after.difference == before.difference);
            REQUIRE(after.whole == before.whole);
        }
    }
}

TEST_CASE("wording: one alone is kept whole, until another one comes") {
    PackedFacts facts;
    StoredFact stored;
    stored.fact.format_id = "some";
    stored.fact.kernel_name = "kernel";
    stored.place.text = "a line with some words that others have as well";
    facts.add(view_of(stored));
    CHECK(facts[0].place.text.whole == stored.place.text);
    CHECK(facts.shared_texts() == nullptr);
    facts.add(view_of(stored));
    CHECK(facts[0].place.text.form != nullptr);
    CHECK(facts[0].text_numbers[0] != 0);
    check_fact(stored_fact(facts[0]), stored);
    check_fact(stored_fact(facts[1]), stored);
    PackedFacts whole = PackedFacts::of_whole_texts();
    whole.add(view_of(stored));
    whole.add(view_of(stored));
    CHECK(whole[1].place.text.whole == stored.place.text);
    CHECK(whole[1].text_numbers[0] == 0);
}

TEST_CASE("wording: texts that others have are kept once, as long as there are not too many") {
    PackedFacts facts;
    for (int i = 0; i < 5000; ++i) {
        StoredFact stored;
        stored.fact.format_id = "some";
        stored.fact.kernel_name = fmt::format("kernel {}", i % 4500);
        facts.add(view_of(stored));
    }
    REQUIRE(facts.shared_texts() != nullptr);
    CHECK(facts.shared_texts()->texts().size() == 4096);
    CHECK(facts[0].texts[0].data() == facts[4500].texts[0].data());
    CHECK(facts[4499].text_numbers[0] == 0);
    for (std::size_t i = 0; i < facts.size(); ++i) {
        REQUIRE(stored_fact(facts[i]).fact.kernel_name == fmt::format("kernel {}", i % 4500));
        REQUIRE(facts[i].format_id == "some");
    }
    const PackedFacts empty = facts.without_facts();
    CHECK(empty.size() == 0);
    REQUIRE(empty.shared_texts() != nullptr);
    CHECK(empty.shared_texts()->texts().size() == 4096);
}
