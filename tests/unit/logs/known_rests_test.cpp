// What stands before the text of a line: taken over from earlier lines as if it had been taken apart.
#include "logs/matching/known_rests.hpp"

#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

using namespace opdebug::logs;

namespace {

using Random = std::mt19937;

std::string shown(const LogLine& line) {
    return fmt::format("thread {} function '{}' text '{}' cut {}", line.tid.value_or(-1), line.function, line.text,
                       line.may_be_cut);
}

std::string pick(Random& random, const std::vector<std::string>& choices) {
    return choices[random() % choices.size()];
}

/// Few places in the source, so that they come back with other texts; all forms that a rest has.
std::string line_of(Random& random) {
    const std::string module = pick(random, {"RUNTIME(41,app):", "GE(41,app):", "CCECPU(41,app):", "TSCH(-1,null):",
                                             "DRV(41,app):", "DEVICE(41,ffff2effd1e0,python):"});
    std::string rest =
        pick(random,
             {"[a_longer_name.cc:7] ", "[a_longer_name.cc:7]", "[a_longer_name.cc:7][EVENT]",
              "[status:INIT] [a_longer_name.cc:7]", "28 (cpuid:0) a_file.c:1012 ", "[ascend][curpid: 7, 8]", ""}) +
        pick(random, {"9 Launch:", "9 Launch :", "9 Class::Launch:", "9 Class::", "9 operator():", "Launch:", "9 Lau",
                      "9 [tag] Launch:", "[Launch][tid:9] ", "Launch] ", "9 Launch::", "[drv][queue][Launch 7]",
                      "[drv][queue][Launch :7]"}) +
        pick(random, {"", " ", "  ", ":"}) +
        pick(random, {"stream_id=3, task_id=5 and so on", "[INIT][DEFAULT]a text", "x", "", "): b: [c] d"});
    if (random() % 8 == 0) {
        rest[random() % rest.size()] = "[]():, 0x"[random() % 9];
    }
    return "[ERROR] " + module + "2021-03-04-05:06:07.008.009 " + rest;
}

}  // namespace

TEST_CASE("known rests: a line is read as if it came first") {
    const unsigned seed = std::random_device()();
    CAPTURE(seed);
    Random random(seed);
    KnownRests rests;
    std::size_t with_function = 0;
    for (int round = 0; round < 20'000; ++round) {
        const std::string text = line_of(random);
        const std::optional<LogLine> alone = parse_line(text);
        std::optional<LogLine> behind_others = parse_line_prefix(text);
        REQUIRE(alone.has_value() == behind_others.has_value());
        if (alone) {
            rests.complete(*behind_others);
            REQUIRE_MESSAGE(shown(*behind_others) == shown(*alone), text);
            with_function += alone->function.empty() ? 0U : 1U;
        }
    }
    CHECK(with_function > 5'000);
}

TEST_CASE("known rests: a colon more makes another function") {
    KnownRests rests;
    const std::string prefix = "[INFO] GE(41,app):2021-03-04-05:06:07.008.009 [some_longer_file.cc:7]9 Graph:";
    for (const auto& [text, function] : {std::pair{" load it now", "Graph"}, {":Load: it now", "Load"}}) {
        const std::string line = prefix + text;
        std::optional<LogLine> parts = parse_line_prefix(line);
        REQUIRE(parts);
        rests.complete(*parts);
        CHECK(parts->function == function);
    }
}

TEST_CASE("known rests: a colon inside the driver's block of a function does not end it") {
    KnownRests rests;
    const std::string prefix = "[INFO] DRV(41,app):2021-03-04-05:06:07.008.009 [ascend][curpid:41,42][drv][queue]";
    for (int round = 0; round < 2; ++round) {
        const std::string line = prefix + "[Launch :7]text";
        std::optional<LogLine> parts = parse_line_prefix(line);
        REQUIRE(parts);
        rests.complete(*parts);
        CHECK(parts->function == "Launch");
        CHECK(parts->text == "text");
    }
}
