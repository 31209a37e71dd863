// Calls between ranks that wait for each other in a circle, as when a part of a dump is missing.
#include <doctest/doctest.h>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

MadeCall message(const std::string& api, std::int64_t peer) {
    const MadeValue good = made_tensor();
    return made_call("Distributed." + api + ".0.forward", {good, made_scalar("int", std::to_string(peer))}, {good});
}

}  // namespace

TEST_CASE("api ranks: calls that wait for each other in a circle are passed, and it is said") {
    ApiRun run;  // each rank receives before it sends
    run.add(0, 0, {message("recv", 1), message("send", 1), born()});
    run.add(0, 1, {message("recv", 0), message("send", 0)});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
    CHECK(contains(codes_of(report.diagnostics), "order_contradicts "));
}

TEST_CASE("api ranks: one that sends before the other receives makes no circle") {
    ApiRun run;
    run.add(0, 0, {message("send", 1), message("recv", 1), born()});
    run.add(0, 1, {message("recv", 0), message("send", 0)});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
    CHECK_FALSE(contains(codes_of(report.diagnostics), "order_contradicts"));
}
