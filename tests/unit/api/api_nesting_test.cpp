// Modules and the calls inside them, by construct.json: the inner one is the origin.
#include <doctest/doctest.h>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr const char* kNone = nullptr;

/// A dump of level mix with this construct.json; null: without.
ApiReport report_of(const std::vector<MadeCall>& calls, const char* construct) {
    ApiRun run;
    run.add_file("step0/rank0/dump.json", dump_json({"statistics", "mix", "pytorch", calls}));
    if (construct != nullptr) {
        run.add_file("step0/rank0/construct.json", construct);
    }
    return run.report();
}

MadeCall made_of_clean(const std::string& name, std::vector<std::int64_t> shape) {
    return made_call(name, {made_tensor()}, {nan_tensor(std::move(shape))});
}

/// The call inside makes NaN of shape [4, 8], a view that is not dumped makes [32] of it, the module returns that.
std::vector<MadeCall> reshaped() {
    return {made_of_clean("Functional.linear.0.forward", {4, 8}), made_of_clean("Module.block.Block.forward.0", {32})};
}

const char* const kBlock = R"({"Module.block.Block.forward.0": null,
 "Functional.linear.0.forward": "Module.block.Block.forward.0"})";

const ApiFinding& finding_on(const ApiReport& report, const std::string& api) {
    for (const ApiFinding& finding : report.findings) {
        if (finding.api == api) {
            return finding;
        }
    }
    FAIL("no finding on " << api);
    return report.findings.front();
}

/// Where the first culprit is, by this construct.json.
std::string place_of(const char* construct) {
    const ApiReport report = report_of({born("Functional.linear.0.forward")}, construct);
    for (const Diagnostic& remark : report.first.at(0).remarks) {
        if (remark.code == "call_place") {
            return remark.message;
        }
    }
    return {};
}

}  // namespace

TEST_CASE("api nesting: a module inherits from the call inside it, whatever shape its own result has") {
    const ApiReport report = report_of(reshaped(), kBlock);
    CHECK(lines_of(report.findings) ==
          "step 0 rank 0 Functional.linear.0.forward born_here\nstep 0 rank 0 Module.block.Block.forward.0 "
          "inherited\n");
    CHECK(contains(finding_on(report, "Module.block.Block.forward.0").because,
                   "Functional.linear.0.forward inside the module"));
}

TEST_CASE("api nesting: without construct.json nothing ties results of other shapes, and nothing is said of it") {
    const ApiReport report = report_of(reshaped(), kNone);
    CHECK(finding_on(report, "Module.block.Block.forward.0").verdict == ApiVerdict::born_here);
    CHECK_FALSE(contains(codes_of(report.diagnostics), "construct_unread"));
    CHECK_FALSE(contains(codes_of(report_of(reshaped(), "{}").diagnostics), "construct_unread"));
}

TEST_CASE("api nesting: without construct.json the later call that made the result of a module is the origin") {
    const std::vector<MadeCall> calls{made_of_clean("Module.block.Block.forward.0", {4, 8}),
                                      made_of_clean("Functional.linear.0.forward", {4, 8})};
    const ApiReport report = report_of(calls, kNone);
    CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
    CHECK(contains(finding_on(report, "Module.block.Block.forward.0").because, "probably inside the module"));
}

TEST_CASE("api nesting: in a backward the module may stand in front, and the call inside is the first culprit") {
    std::vector<MadeCall> calls{made_of_clean("Module.block.Block.backward.0", {32}),
                                made_of_clean("Functional.linear.0.backward", {4, 8})};
    CHECK(lines_of(report_of(calls, kBlock).first) == "step 0 rank 0 Functional.linear.0.backward born_here\n");
    CHECK(lines_of(report_of(calls, kNone).first) == "step 0 rank 0 Module.block.Block.backward.0 born_here\n");
}

TEST_CASE("api nesting: a gradient that was written at the forward counts behind all of its module's backward") {
    MadeCall gradient;
    gradient.name = "Module.block.Block.parameters_grad";
    gradient.parameters = {{"weight", nan_tensor({8, 8})}};
    const MadeCall inner =
        made_call("Functional.linear.0.backward", {made_tensor()}, {made_tensor(), nan_tensor({8, 8})});
    const std::string inside = "step 0 rank 0 Functional.linear.0.backward born_here\n";
    const std::string module = "step 0 rank 0 Module.block.Block.backward.0 ";
    const auto first = [&](const std::vector<MadeCall>& backwards, const char* construct) {
        std::vector<MadeCall> calls{clean_call("Module.block.Block.forward.0"), gradient};
        calls.insert(calls.end(), backwards.begin(), backwards.end());
        const ApiReport report = report_of(calls, construct);
        CHECK(finding_on(report, gradient.name).verdict == ApiVerdict::inherited);
        return lines_of(report.first);
    };
    const MadeCall bad = made_of_clean("Module.block.Block.backward.0", {32});
    const MadeCall clean = clean_call("Module.block.Block.backward.0");
    const MadeCall alike = made_of_clean("Module.block.Block.backward.0", {8, 8});  // the gradient explains it no more
    for (const char* construct : {kBlock, kNone}) {
        CHECK(first({bad}, construct) == module + "born_here\n");
        CHECK(first({alike}, construct) == module + "born_here\n");
        CHECK(first({clean, inner}, construct) == inside);
    }
    CHECK(first({bad, inner}, kBlock) == inside);
    CHECK(first({bad, clean_call("Torch.a.0.backward"), inner}, kBlock) == inside);
}

TEST_CASE("api nesting: backwards lie where their forwards do, not where construct.json puts them") {
    // As in a real file: the ReLU works `in-place`, its backward's end is missed, and the batch_norm seems to be
    // inside.
    const char* const construct = R"({"Module.relu.ReLU.forward.0": null, "Module.bn1.BatchNorm2d.forward.0": null,
 "Functional.batch_norm.0.forward": "Module.bn1.BatchNorm2d.forward.0",
 "Functional.batch_norm.0.backward": "Module.relu.ReLU.backward.0", "Module.relu.ReLU.backward.0": null})";
    const ApiReport report = report_of({made_of_clean("Module.relu.ReLU.backward.0", {4, 8}),
                                        made_of_clean("Functional.batch_norm.0.backward", {4, 8})},
                                       construct);
    CHECK(lines_of(report.first) == "step 0 rank 0 Module.relu.ReLU.backward.0 born_here\n");
}

TEST_CASE("api nesting: a call outside of the module with the same result is not taken for one inside") {
    const char* const construct = R"({"Functional.linear.0.forward": null, "Module.other.Other.forward.0": ""})";
    const std::vector<MadeCall> calls{made_of_clean("Functional.linear.0.forward", {4, 8}),
                                      made_of_clean("Module.other.Other.forward.0", {4, 8})};
    CHECK(finding_on(report_of(calls, construct), "Module.other.Other.forward.0").verdict == ApiVerdict::born_here);
}

TEST_CASE("api nesting: of modules inside one another the innermost is the origin") {
    const char* const construct = R"({"Module.a.A.forward.0": null, "Module.a.b.B.forward.0": "Module.a.A.forward.0",
 "Module.a.b.c.C.forward.0": "Module.a.b.B.forward.0"})";
    const ApiReport report =
        report_of({made_of_clean("Module.a.A.backward.0", {2}), made_of_clean("Module.a.b.B.backward.0", {3}),
                   made_of_clean("Module.a.b.c.C.backward.0", {4})},
                  construct);
    CHECK(lines_of(report.first) == "step 0 rank 0 Module.a.b.c.C.backward.0 born_here\n");
    CHECK(finding_on(report, "Module.a.A.backward.0").verdict == ApiVerdict::inherited);
    CHECK(finding_on(report, "Module.a.b.B.backward.0").verdict == ApiVerdict::inherited);
}

TEST_CASE("api nesting: an argument that is a parameter of the module around the call is a weight") {
    MadeCall module = made_call("Module.norm.Norm.forward.0", {made_tensor()}, {nan_tensor()});
    module.parameters = {{"weight", nan_tensor({8})}};
    const std::vector<MadeCall> calls{
        made_call("Mine.scale.0.forward", {made_tensor(), nan_tensor({8})}, {nan_tensor()}), module};
    const char* const construct =
        R"({"Module.norm.Norm.forward.0": null, "Mine.scale.0.forward": "Module.norm.Norm.forward.0"})";
    const ApiReport report = report_of(calls, construct);
    CHECK(lines_of(report.first) == "step 0 rank 0 Mine.scale.0.forward weight\n");
    CHECK(contains(report.first[0].because, "a parameter of the enclosing Module.norm.Norm.forward.0"));
    CHECK_FALSE(contains(codes_of(report.first[0].remarks), "source_not_dumped"));
    CHECK(finding_on(report_of(calls, kNone), "Mine.scale.0.forward").verdict == ApiVerdict::inherited);
}

TEST_CASE("api nesting: the first culprit's modules, micro step, and the optimizer are told") {
    CHECK(place_of(R"({"Functional.linear.0.forward": "Module.a.b.B.forward.0",
 "Module.a.A.forward.0": null, "Module.a.b.B.forward.0": "Module.a.A.forward.0"})") ==
          "the call is inside Module.a.b.B.forward.0, inside Module.a.A.forward.0");
    CHECK(place_of(R"({"Functional.linear.0.forward": ["Module.a.A.forward.0", 3], "Module.a.A.forward.0": [null, 3],
 "megatron_micro_step_number": 4})") == "the call is inside Module.a.A.forward.0, in micro step 3");
    CHECK(place_of(R"({"optimizer": null, "Functional.linear.0.forward": "optimizer"})") ==
          "the call is inside the optimizer step");
    CHECK(place_of(R"({"Functional.linear.0.forward": null})").empty());
    CHECK(place_of(R"({"Functional.linear.0.forward": 7})").empty());
}

TEST_CASE("api nesting: modules that lie in themselves are told once") {
    CHECK(place_of(R"({"Functional.linear.0.forward": "Functional.linear.0.forward"})").empty());
    CHECK(place_of(R"({"Functional.linear.0.forward": "X", "X": "X"})") == "the call is inside X");
    CHECK(place_of(R"({"Functional.linear.0.forward": "X", "X": "Y", "Y": "X"})") == "the call is inside X, inside Y");
}

TEST_CASE("api nesting: an entry of another form is told, says nothing, and costs only itself") {
    for (const char* value : {"7", "true", "{}", "[]", R"(["M"])", R"(["M", 1, 2])", R"([["M"], 1])", "[7, 1]"}) {
        CAPTURE(value);
        const std::string construct =
            std::string(R"({"Functional.linear.0.forward": )") + value + R"(, "Module.block.Block.forward.0": null})";
        const ApiReport report = report_of(reshaped(), construct.c_str());
        CHECK(contains(codes_of(report.diagnostics), "construct_unread "));
        CHECK(contains(report.diagnostics.at(0).message,
                       "the value at Functional.linear.0.forward is skipped: expected a module name"));
        CHECK(finding_on(report, "Module.block.Block.forward.0").verdict == ApiVerdict::born_here);
    }
    const ApiReport report = report_of(reshaped(), R"({"Functional.linear.0.forward": "Module.block.Block.forward.0",
 "Module.block.Block.forward.0": 7})");
    CHECK(contains(codes_of(report.diagnostics), "construct_unread "));
    CHECK(finding_on(report, "Module.block.Block.forward.0").verdict == ApiVerdict::inherited);
}

TEST_CASE("api nesting: what stands in front of a bad byte is used") {
    const std::string whole = kBlock;
    const ApiReport report = report_of(reshaped(), (whole.substr(0, whole.size() - 1) + ", \x01}").c_str());
    CHECK(contains(codes_of(report.diagnostics), "construct_unread "));
    CHECK(finding_on(report, "Module.block.Block.forward.0").verdict == ApiVerdict::inherited);
}

TEST_CASE("api nesting: a damaged construct.json is told and costs only what it would say") {
    for (const char* construct : {"garbage", "[1]", R"({"Functional.linear.0.forward": {"a")"}) {
        CAPTURE(construct);
        const ApiReport report = report_of(reshaped(), construct);
        CHECK(contains(codes_of(report.diagnostics), "construct_unread "));
        CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
    }
}

TEST_CASE("api nesting: every prefix of a construct.json gives what is whole, or says that it does not") {
    const std::string whole = kBlock;
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        const ApiReport report = report_of(reshaped(), whole.substr(0, size).c_str());
        const bool told = contains(codes_of(report.diagnostics), "construct_unread ");
        const bool used = finding_on(report, "Module.block.Block.forward.0").verdict == ApiVerdict::inherited;
        CHECK(told != used);
    }
}

TEST_CASE("api nesting: a cut construct.json that does not place a first culprit is told, for that alone, too") {
    const std::string whole = R"({"Functional.linear.0.forward": "Module.block.Block.forward.0",
 "Module.block.Block.forward.0": null, "Torch.other.0.forward": null})";
    const std::size_t placed = whole.find(", \"Torch.other") + 1;  // the call is whole with this comma
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        CAPTURE(size);
        const ApiReport report = report_of({born("Functional.linear.0.forward")}, whole.substr(0, size).c_str());
        CHECK(contains(codes_of(report.diagnostics), "construct_unread ") == (size < placed));
    }
    for (const char* construct : {"{}", kNone}) {
        const ApiReport report = report_of({born("Functional.linear.0.forward")}, construct);
        CHECK_FALSE(contains(codes_of(report.diagnostics), "construct_unread "));
    }
}
