// Each text of lib/data/training/formats.json reads its samples, and damaged lines are no facts.
#include <doctest/doctest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "embedded/training_data.hpp"
#include "text.hpp"
#include "training/formats.hpp"

using namespace opdebug::training;
using opdebug::test::contains;

namespace {

/// The facts of a whole line.
std::vector<LineFacts> facts_in(std::string_view line, bool* is_readable = nullptr) {
    std::vector<LineFacts> facts;
    const bool readable = add_facts(without_prefixes(line), 1, facts);
    if (is_readable != nullptr) {
        *is_readable = readable;
    }
    return facts;
}

/// Whether a sample states this number: a number, "nan" or "inf".
bool is_stated(double number, const nlohmann::json& stated) {
    return stated == "nan" ? std::isnan(number) : stated == "inf" ? std::isinf(number) : stated == number;
}

}  // namespace

TEST_CASE("training formats: each sample states its numbers, and no others") {
    REQUIRE(formats().size() >= 40);
    const auto data = nlohmann::json::parse(opdebug::embedded::training_files().front().text);
    for (std::size_t i = 0; i < formats().size(); ++i) {
        const Format& format = formats()[i];
        const nlohmann::json& samples = data.at("formats").at(i).at("samples");
        CAPTURE(format.id);
        REQUIRE(!samples.empty());
        for (const nlohmann::json& sample : samples) {
            const std::string line = sample.at("line");
            CAPTURE(line);
            std::vector<LineFacts> of_format;
            for (const LineFacts& fact : facts_in(line)) {
                if (fact.format == &format) {
                    of_format.push_back(fact);
                }
            }
            REQUIRE(of_format.size() == 1);
            const nlohmann::json& stated = sample.at("states");
            std::size_t known = 0;
            for (std::size_t number = 0; number < kNumbers; ++number) {
                const std::optional<double>& read = of_format.front().numbers[number];
                const std::string name(kNumberNames[number]);
                CAPTURE(name);
                CHECK(read.has_value() == stated.contains(name));
                CHECK((!read || is_stated(*read, stated.value(name, nlohmann::json()))));
                known += read ? 1U : 0U;
            }
            CHECK(known == stated.size());
        }
    }
}

TEST_CASE("training formats: prefixes of launchers and loggers, also several") {
    struct Case {
        const char* line;
        std::optional<std::uint64_t> rank;
        const char* time;
    };
    const Case cases[] = {
        {"[rank5]:", 5, ""},
        {"[rank5]: ", 5, ""},
        {"[default7]: ", {}, ""},
        {"[1,3]<stdout>:", 3, ""},
        {"(WorkerDict pid=4711, ip=10.0.0.8) ", {}, ""},
        {"[2026-05-04 10:11:12,345] [INFO] [logging.py:96:log_dist] [Rank 0] ", 0, "2026-05-04 10:11:12,345"},
        {"[rank2]:[2026-05-04 10:11:12,345] [INFO] [logging.py:96:log_dist] [Rank -1] ", 2, "2026-05-04 10:11:12,345"},
        {"2026-05-04 10:11:12,345 - mindformers[core/callback.py:489] - INFO - ", {}, "2026-05-04 10:11:12,345"},
        {"2026-05-04 10:11:12,345 [WARNING] ", {}, "2026-05-04 10:11:12,345"},
        {"2026-05-04T10:11:12.345678901Z stdout F [rank1]: ", 1, ""}};
    for (const Case& one : cases) {
        CAPTURE(one.line);
        const std::string line = std::string(one.line) + "Loss scaler reducing loss scale to 1024.0";
        const Stripped stripped = without_prefixes(line);
        CHECK(stripped.text == "Loss scaler reducing loss scale to 1024.0");
        CHECK(stripped.rank == one.rank);
        CHECK(stripped.time == one.time);
    }
}

TEST_CASE("training formats: spellings of numbers") {
    CHECK(parse_number("1.0E+00") == 1.0);
    CHECK(parse_number("65536") == 65536.0);
    CHECK(parse_number("'1.25'") == 1.25);
    CHECK(parse_number("[44.5]") == 44.5);
    CHECK(parse_number("np.float64(0.5)") == 0.5);
    CHECK(parse_number("True") == 1.0);
    for (const char* nan :
         {"nan", "NaN", "NAN", "'nan'", "-nan(ind)", "nan(0x8)", "tensor(nan, device='npu:0')", "[nan]"}) {
        CAPTURE(nan);
        REQUIRE(parse_number(nan));
        CHECK(std::isnan(*parse_number(nan)));
    }
    for (const char* inf : {"inf", "Inf", "+inf", "Infinity", "np.float64(inf)"}) {
        CAPTURE(inf);
        CHECK(parse_number(inf) == INFINITY);
    }
    CHECK(parse_number("-inf") == -INFINITY);
    for (const char* none : {"", "1.2.3", "1 31049", "abc", "0x10", "-", "tensor(", "1e"}) {
        CAPTURE(none);
        CHECK_FALSE(parse_number(none));
    }
}

TEST_CASE("training formats: a line without a readable gradient norm or scale keeps its loss") {
    const auto bad = facts_in(" iteration 5/ 10 | lm loss: nan | loss scale: nan | grad norm: 1.2.3 |");
    REQUIRE(bad.size() == 1);
    CHECK(bad.front().is_partly_read);
    CHECK(std::isnan(bad.front().number(Number::main_loss).value_or(0)));
    CHECK_FALSE(bad.front().number(Number::scale));
    CHECK_FALSE(bad.front().number(Number::grad_norm));
    const auto none = facts_in("{'loss': 1.0, 'grad_norm': None, 'global_step/max_steps': '3/90'}");
    REQUIRE(none.size() == 1);
    CHECK_FALSE(none.front().is_partly_read);
    for (const std::string front : {"", "worker-0: ", "test-1: ", "[test] ", "Testing config A | "}) {
        CAPTURE(front);
        CHECK(facts_in(front + "validation loss at iteration 20 | lm loss value: 2.3 | lm loss PPL: 1.0 |").empty());
        CHECK(facts_in(front + "iteration 20/ 90 | lm loss: nan |").size() == 1);
    }
}

TEST_CASE("training formats: lines that are cut, torn or have impossible numbers are not read") {
    const char* const damaged[] = {
        "Loss scaler reducing loss scale to 10",               // of 1024.0
        "Loss scaler reducing loss scale to 163[rank1]:84.0",  // another process wrote
        "[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 20",
        "Reducing dynamic loss scale from 512 to ",
        " iteration 5/ 10 | lm loss: 1.0 | iteration 5/ 10 | lm loss: 1.0 |",  // two processes
        " iteration 99999999999999/ 10 | lm loss: 1.0 |"};
    for (const char* const line : damaged) {
        CAPTURE(line);
        bool is_readable = true;
        CHECK(facts_in(line, &is_readable).empty());
        CHECK_FALSE(is_readable);
    }
    for (const char* const other : {"", "loading the data", "learning rate schedule: step 1", "Epoch 3 done"}) {
        CAPTURE(other);
        bool is_readable = false;
        CHECK(facts_in(other, &is_readable).empty());
        CHECK(is_readable);
    }
}
