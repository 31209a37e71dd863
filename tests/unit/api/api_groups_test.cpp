// Calls between ranks whose group is not reported, or is reported in different ways; and what a reduction does.
#include <doctest/doctest.h>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const MadeValue good = made_tensor();
const MadeValue bad = nan_tensor();

MadeCall without_group(const std::string& name, const MadeValue& input, const MadeValue& output) {
    return made_call(name, {input}, {output});
}

MadeCall primitive(const std::string& api, std::uint64_t count, const MadeValue& input, const MadeValue& output) {
    return made_call("Primitive.net." + api + "." + std::to_string(count) + ".forward", {input}, {output});
}

MadeCall objects(const std::string& api, std::int64_t partner) {
    return made_call("Distributed." + api + ".0.forward", {made_list({}), made_scalar("int", std::to_string(partner))},
                     {});
}

/// Both ranks reduce large clean values to infinity.
ApiReport reduced_by(const std::string& operation) {
    ApiRun run;
    for (const std::uint64_t rank : {0U, 1U}) {
        MadeCall call =
            collective("all_reduce", 0, {made_tensor("60000.0", "-1.0")}, {made_tensor("Infinity", "-2.0")});
        MadeValue op = made_scalar("torch.distributed.ReduceOp", "\"RedOpType." + operation + "\"");
        call.named_inputs.emplace_back("op", op);
        run.add(0, rank, {call});
    }
    return run.report();
}

}  // namespace

TEST_CASE("api groups: operators of MindSpore match by their number when every rank has as many") {
    ApiRun run;
    run.add(0, 0, {primitive("AllReduce", 0, good, bad)});
    run.add(0, 1, {primitive("MatMul", 0, good, bad), primitive("AllReduce", 0, bad, bad)});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 1 Primitive.net.MatMul.0.forward born_here\n");
    CHECK(report.findings.at(0).verdict == ApiVerdict::inherited);
    CHECK(contains(codes_of(report.findings[0].remarks), "group_assumed "));
}

TEST_CASE("api groups: what cannot be matched is no culprit beside a proven one, and no rank is missing") {
    ApiRun run;
    run.add(0, 0, {primitive("AllReduce", 0, good, good), primitive("AllReduce", 1, good, bad)});
    run.add(0, 1, {primitive("MatMul", 0, good, bad), primitive("AllReduce", 0, bad, bad)});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 1 Primitive.net.MatMul.0.forward born_here\n");
    REQUIRE(report.findings.size() == 3);
    CHECK(report.findings[0].verdict == ApiVerdict::inherited);
    CHECK(codes_of(report.findings[0].remarks) == "last_clean group_not_dumped ");
}

TEST_CASE("api groups: the default group is that of all ranks") {
    ApiRun run;
    run.add(0, 0, {born(), collective("all_reduce", 0, {bad}, {bad}, {0, 1})});
    run.add(0, 1, {without_group("Distributed.all_reduce.0.forward", good, bad)});
    const ApiReport report = run.report();
    CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
    CHECK(report.findings.back().verdict == ApiVerdict::inherited);
}

TEST_CASE("api groups: where every rank uses a group of all ranks beside the default one, they are two") {
    ApiRun run;
    // Matched as one group the first calls would be the default one of rank 0 and the other one of rank 1.
    run.add(0, 0,
            {without_group("Distributed.all_reduce.0.forward", good, good), born(),
             collective("all_reduce", 1, {bad}, {bad}, {0, 1})});
    run.add(0, 1,
            {collective("all_reduce", 0, {good}, {bad}, {0, 1}),
             without_group("Distributed.all_reduce.1.forward", good, good)});
    const ApiReport report = run.report();
    CHECK(report.findings.back().verdict == ApiVerdict::inherited);
}

TEST_CASE("api groups: only sums and averages pass the limit by adding") {
    for (const char* adding : {"SUM", "AVG"}) {
        CAPTURE(std::string(adding));
        CHECK(contains(codes_of(reduced_by(adding).first.at(0).remarks), "sum_overflow "));
    }
    for (const char* other : {"MAX", "MIN"}) {
        CAPTURE(std::string(other));
        const std::string codes = codes_of(reduced_by(other).first.at(0).remarks);
        CHECK(contains(codes, "communication_fault "));
        CHECK_FALSE(contains(codes, "sum_overflow "));
    }
    CHECK(codes_of(reduced_by("PRODUCT").first.at(0).remarks) == "product_overflow ");
}

TEST_CASE("api groups: one rank alone is not taken for all ranks of a group that no dump tells") {
    ApiRun run;
    run.add(0, 0, {primitive("AllReduce", 0, good, bad)});
    const ApiReport report = run.report();
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].verdict == ApiVerdict::inherited);
    CHECK(contains(report.findings[0].because, "the values from other ranks are unknown"));
    CHECK(contains(codes_of(report.findings[0].remarks), "group_not_dumped "));
}

TEST_CASE("api groups: a message that names no sender is from nobody for certain") {
    const auto send = [](const MadeValue& value) {
        return made_call("Distributed.send.0.forward", {value, made_scalar("int", "2")}, {value});
    };
    ApiRun run;
    run.add(0, 0, {send(bad)});
    run.add(0, 1, {send(good)});
    run.add(0, 2, {made_call("Distributed.recv.0.forward", {good}, {bad})});
    const ApiReport report = run.report();
    const ApiFinding& received = report.findings.back();
    CHECK(received.api == "Distributed.recv.0.forward");
    CHECK(received.verdict == ApiVerdict::inherited);
    CHECK_FALSE(contains(received.because, "comes from rank"));
    CHECK(contains(received.because, "the sender is unknown"));
    CHECK(contains(codes_of(received.remarks), "sender_unknown "));
}

TEST_CASE("api groups: objects that are sent order the ranks, too") {
    ApiRun run;
    run.add(0, 0, {born(), objects("send_object_list", 1)});
    run.add(0, 1, {objects("recv_object_list", 0), born()});
    CHECK(lines_of(run.report().first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
}
