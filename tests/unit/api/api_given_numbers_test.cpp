// Infinities and NaN that a program wrote on purpose, and what they hide: nothing.
#include <doctest/doctest.h>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

ApiReport report_on(std::vector<MadeCall> calls) {
    ApiRun run;
    run.add(0, 0, std::move(calls));
    return run.report();
}

std::string verdicts(const ApiReport& report) {
    std::string text;
    for (const ApiFinding& finding : report.findings) {
        text += (text.empty() ? "" : ", ") + finding.api + " " + std::string(to_string(finding.verdict));
    }
    return text;
}

std::string first(const ApiReport& report) {
    return report.first.size() == 1 ? report.first[0].api : lines_of(report.first);
}

MadeValue all(const std::string& number, std::vector<std::int64_t> shape = {4, 8}) {
    MadeValue value = made_tensor(number, number, "float16", std::move(shape));
    value.norm = number == "NaN" ? "NaN" : "Infinity";
    return value;
}

MadeCall full(const std::string& number) {
    return made_call("Torch.full.0.forward", {made_scalar("int", "4"), made_scalar("float", number)}, {all(number)});
}

}  // namespace

TEST_CASE("api given numbers: filling with an infinity or NaN that the call was given is deliberate") {
    for (const std::string number : {"Infinity", "-Infinity", "NaN"}) {
        CAPTURE(number);
        const ApiReport alone = report_on({full(number)});
        CHECK(verdicts(alone) == "Torch.full.0.forward deliberate");
        CHECK(alone.first.empty());
        const ApiReport report = report_on({full(number), born()});
        CHECK(verdicts(report) == "Torch.full.0.forward deliberate, Functional.linear.0.forward born_here");
        CHECK(first(report) == "Functional.linear.0.forward");
    }
    MadeCall named = made_call("Torch.full.0.forward", {made_scalar("int", "4")}, {all("Infinity")});
    named.named_inputs = {{"fill_value", made_scalar("float", "Infinity")}};
    CHECK(verdicts(report_on({named})) == "Torch.full.0.forward deliberate");
    CHECK(verdicts(
              report_on({made_call("Tensor.masked_fill.0.forward",
                                   {made_tensor(), made_tensor("1", "0", "bool"), made_scalar("float", "Infinity")},
                                   {made_tensor("Infinity", "-1.5")})})) == "Tensor.masked_fill.0.forward deliberate");
}

TEST_CASE("api given numbers: what the number does not explain is the call's own, or its input's") {
    const auto filled = [](MadeValue input, MadeValue output) {
        return verdicts(
            report_on({made_call("Tensor.masked_fill.0.forward",
                                 {std::move(input), made_tensor("1", "0", "bool"), made_scalar("float", "Infinity")},
                                 {std::move(output)})}));
    };
    CHECK(filled(made_tensor(), nan_tensor()) == "Tensor.masked_fill.0.forward born_here");
    CHECK(filled(made_tensor(), made_tensor("Infinity", "-Infinity")) == "Tensor.masked_fill.0.forward born_here");
    CHECK(filled(nan_tensor(), nan_tensor()) == "Tensor.masked_fill.0.forward inherited");
    // -Inf at the upper end, with nothing else known.
    CHECK(verdicts(report_on(
              {made_call("Functional.linear.0.forward", {made_tensor()}, {made_tensor("-Infinity", "null")})})) ==
          "Functional.linear.0.forward born_here");
    // A product may have been meant to be finite.
    CHECK(verdicts(report_on({made_call("Tensor.__mul__.0.forward", {made_tensor(), made_scalar("float", "Infinity")},
                                        {made_tensor("Infinity", "-Infinity")})})) ==
          "Tensor.__mul__.0.forward inherited");
}

TEST_CASE("api given numbers: what later calls make of a given infinity is deliberate, too, but not NaN") {
    const ApiReport passed =
        report_on({full("Infinity"), made_call("Tensor.clone.0.forward", {all("Infinity")}, {all("Infinity")}),
                   made_call("Torch.min.0.forward", {all("Infinity"), made_tensor()}, {made_tensor()})});
    CHECK(verdicts(passed) == "Torch.full.0.forward deliberate, Tensor.clone.0.forward deliberate");
    CHECK(passed.first.empty());
    CHECK(first(report_on({full("Infinity"), made_call("Tensor.sub.0.forward", {all("Infinity"), all("Infinity")},
                                                       {nan_tensor()})})) == "Tensor.sub.0.forward");
}

TEST_CASE("api given numbers: NaN that was meant excuses no other NaN, for they look alike") {
    const ApiReport report =
        report_on({full("NaN"), made_call("Functional.relu.0.forward", {all("NaN")}, {all("NaN")})});
    CHECK(verdicts(report) == "Torch.full.0.forward deliberate, Functional.relu.0.forward inherited");
    CHECK(first(report) == "Functional.relu.0.forward");
}

TEST_CASE("api given numbers: a module that gives what a call inside it wrote on purpose made nothing bad") {
    for (const std::string number : {"Infinity", "-Infinity"}) {
        CAPTURE(number);
        const ApiReport report =
            report_on({full(number), made_call("Module.mask.Mask.forward.0", {made_tensor()}, {all(number)}), born()});
        CHECK(verdicts(report) ==
              "Torch.full.0.forward deliberate, Module.mask.Mask.forward.0 deliberate, "
              "Functional.linear.0.forward born_here");
        CHECK(first(report) == "Functional.linear.0.forward");
    }
}

TEST_CASE("api first: a call that made a bad value of clean inputs goes before one that only shows one") {
    const MadeCall shows = made_call("Torch.cat.0.forward", {nan_tensor()}, {nan_tensor()});
    const ApiReport report = report_on({shows, born()});
    CHECK(first(report) == "Functional.linear.0.forward");
    CHECK(contains(codes_of(report.diagnostics), "bad_value_before "));
    const ApiReport only_shown = report_on({shows});
    CHECK(first(only_shown) == "Torch.cat.0.forward");
    CHECK_FALSE(contains(codes_of(only_shown.diagnostics), "bad_value_before "));
}

TEST_CASE("api first: the earlier step counts, also where it only shows a bad value") {
    ApiRun run;
    run.add(0, 0, {made_call("Torch.cat.0.forward", {nan_tensor()}, {nan_tensor()})});
    run.add(1, 0, {born()});
    const ApiReport report = run.report();
    REQUIRE(report.first.size() == 1);
    CHECK(report.first[0].step == 0U);
}
