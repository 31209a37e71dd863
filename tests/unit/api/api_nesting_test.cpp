// Modules and the calls inside them, by construct.json: the inner one is the origin.
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "api_run.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

constexpr const char* kNone = nullptr;

/// A dump of level mix with this construct.json; null: without.
ApiReport report_of(std::string_view calls, const char* construct) {
    ApiRun run;
    run.add_file("step0/rank0/dump.json", dump_json({"statistics", "mix", "pytorch", calls_of(calls)}));
    if (construct != nullptr) {
        run.add_file("step0/rank0/construct.json", construct);
    }
    return run.report();
}

/// The call inside makes NaN of shape [4, 8], a view that is not dumped makes [32] of it, the module returns that.
constexpr const char* kReshaped = "Functional.linear(.) nan@4,8; Module.block.Block.forward.0(.) nan@32";
constexpr const char* kBorn = "Functional.linear(.) nan";

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
    const ApiReport report = report_of(kBorn, construct);
    for (const Diagnostic& remark : report.first.at(0).remarks) {
        if (remark.code == "call_place") {
            return remark.message;
        }
    }
    return {};
}

}  // namespace

TEST_CASE("api nesting: which of module and calls inside it made the value") {
    struct Row {
        const char* what;
        const char* calls;
        const char* construct;
        const char* findings;
        const char* first;
    };
    const std::vector<Row> rows{
        {"a module inherits from the call inside it, whatever shape its own result has", kReshaped, kBlock,
         "0 Functional.linear born_here, 0 Module.block.Block.forward.0 inherited", "0 Functional.linear born_here"},
        {"without construct.json nothing ties results of other shapes", kReshaped, kNone,
         "0 Functional.linear born_here, 0 Module.block.Block.forward.0 born_here", "0 Functional.linear born_here"},
        {"and not with one that is empty", kReshaped, "{}",
         "0 Functional.linear born_here, 0 Module.block.Block.forward.0 born_here", "0 Functional.linear born_here"},
        {"without it the later call that made the result of a module is the origin",
         "Module.block.Block.forward.0(.) nan@4,8; Functional.linear(.) nan@4,8", kNone,
         "0 Module.block.Block.forward.0 inherited, 0 Functional.linear born_here", "0 Functional.linear born_here"},
        {"in a backward the module may come before",
         "Module.block.Block.backward.0(.) nan@32; Functional.linear.0.backward(.) nan@4,8", kBlock,
         "0 Module.block.Block.backward.0 inherited, 0 Functional.linear.0.backward born_here",
         "0 Functional.linear.0.backward born_here"},
        {"a call outside of the module with the same result does not count as one inside",
         "Functional.linear(.) nan@4,8; Module.other.Other.forward.0(.) nan@4,8",
         R"({"Functional.linear.0.forward": null, "Module.other.Other.forward.0": ""})",
         "0 Functional.linear born_here, 0 Module.other.Other.forward.0 born_here", "0 Functional.linear born_here"},
        // As in a real file: the ReLU overwrites its input, its backward's end is missed, and the batch_norm seems to
        // be inside.
        {"backwards lie where their forwards do, not where construct.json puts them",
         "Module.relu.ReLU.backward.0(.) nan@4,8; Functional.batch_norm.0.backward(.) nan@4,8",
         R"({"Module.relu.ReLU.forward.0": null, "Module.bn1.BatchNorm2d.forward.0": null,
 "Functional.batch_norm.0.forward": "Module.bn1.BatchNorm2d.forward.0",
 "Functional.batch_norm.0.backward": "Module.relu.ReLU.backward.0", "Module.relu.ReLU.backward.0": null})",
         nullptr, "0 Module.relu.ReLU.backward.0 born_here"},
        {"of modules inside one another the innermost is the origin",
         "Module.a.A.backward.0(.) nan@2; Module.a.b.B.backward.0(.) nan@3; Module.a.b.c.C.backward.0(.) nan@4",
         R"({"Module.a.A.forward.0": null, "Module.a.b.B.forward.0": "Module.a.A.forward.0",
 "Module.a.b.c.C.forward.0": "Module.a.b.B.forward.0"})",
         "0 Module.a.A.backward.0 inherited, 0 Module.a.b.B.backward.0 inherited, "
         "0 Module.a.b.c.C.backward.0 born_here",
         "0 Module.a.b.c.C.backward.0 born_here"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.what);
        const ApiReport report = report_of(row.calls, row.construct);
        CHECK(with_ranks(report.first) == row.first);
        if (row.findings != nullptr) {
            CHECK(with_ranks(report.findings) == row.findings);
        }
        CHECK_FALSE(contains(codes_of(report.diagnostics), "construct_unread"));
    }
    const auto because = [](const char* calls, const char* construct) {
        return finding_on(report_of(calls, construct), "Module.block.Block.forward.0").because;
    };
    CHECK(contains(because(kReshaped, kBlock), "Functional.linear.0.forward inside the module"));
    CHECK(contains(because(rows[3].calls, kNone), "probably inside the module"));
    CHECK(with_ranks(report_of(rows[4].calls, kNone).first) == "0 Module.block.Block.backward.0 born_here");
}

TEST_CASE("api nesting: a gradient that was written at the forward counts after all of its module's backward") {
    const std::string inside = "0 Functional.linear.0.backward born_here";
    const std::string module = "0 Module.block.Block.backward.0 born_here";
    const auto first = [](const std::string& backwards, const char* construct) {
        const ApiReport report = report_of(
            "Module.block.Block.forward.0(.) .;"
            "Module.block.Block.parameters_grad(weight:nan@8,8);" +
                backwards,
            construct);
        CHECK(finding_on(report, "Module.block.Block.parameters_grad").verdict == ApiVerdict::inherited);
        return with_ranks(report.first);
    };
    const std::string inner = "Functional.linear.0.backward(.) . nan@8,8",
                      bad = "Module.block.Block.backward.0(.) nan@32;";
    for (const char* construct : {kBlock, kNone}) {
        CHECK(first(bad, construct) == module);
        CHECK(first("Module.block.Block.backward.0(.) nan@8,8", construct) ==
              module);  // the gradient explains it no more
        CHECK(first("Module.block.Block.backward.0(.) .;" + inner, construct) == inside);
    }
    CHECK(first(bad + inner, kBlock) == inside);
    CHECK(first(bad + "Torch.a.0.backward(.) .;" + inner, kBlock) == inside);
}

TEST_CASE("api nesting: the first culprit's modules, micro step, and the optimizer are reported") {
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

TEST_CASE("api nesting: modules that lie in themselves are reported once") {
    CHECK(place_of(R"({"Functional.linear.0.forward": "Functional.linear.0.forward"})").empty());
    CHECK(place_of(R"({"Functional.linear.0.forward": "X", "X": "X"})") == "the call is inside X");
    CHECK(place_of(R"({"Functional.linear.0.forward": "X", "X": "Y", "Y": "X"})") == "the call is inside X, inside Y");
}

TEST_CASE("api nesting: an entry of another form is reported, says nothing, and costs only itself") {
    for (const char* value : {"7", "true", "{}", "[]", R"(["M"])", R"(["M", 1, 2])", R"([["M"], 1])", "[7, 1]"}) {
        CAPTURE(value);
        const std::string construct =
            std::string(R"({"Functional.linear.0.forward": )") + value + R"(, "Module.block.Block.forward.0": null})";
        const ApiReport report = report_of(kReshaped, construct.c_str());
        CHECK(contains(codes_of(report.diagnostics), "construct_unread "));
        CHECK(contains(report.diagnostics.at(0).message,
                       "the value at Functional.linear.0.forward is skipped: expected a module name"));
        CHECK(finding_on(report, "Module.block.Block.forward.0").verdict == ApiVerdict::born_here);
    }
    const ApiReport report = report_of(kReshaped, R"({"Functional.linear.0.forward": "Module.block.Block.forward.0",
 "Module.block.Block.forward.0": 7})");
    CHECK(contains(codes_of(report.diagnostics), "construct_unread "));
    CHECK(finding_on(report, "Module.block.Block.forward.0").verdict == ApiVerdict::inherited);
}

TEST_CASE("api nesting: what stands in front of a bad byte is used") {
    const std::string whole = kBlock;
    const ApiReport report = report_of(kReshaped, (whole.substr(0, whole.size() - 1) + ", \x01}").c_str());
    CHECK(contains(codes_of(report.diagnostics), "construct_unread "));
    CHECK(finding_on(report, "Module.block.Block.forward.0").verdict == ApiVerdict::inherited);
}

TEST_CASE("api nesting: a damaged construct.json is reported and costs only what it would say") {
    for (const char* construct : {"garbage", "[1]", R"({"Functional.linear.0.forward": {"a")"}) {
        CAPTURE(construct);
        const ApiReport report = report_of(kReshaped, construct);
        CHECK(contains(codes_of(report.diagnostics), "construct_unread "));
        CHECK(lines_of(report.first) == "step 0 rank 0 Functional.linear.0.forward born_here\n");
    }
}

TEST_CASE("api nesting: every prefix of a construct.json gives what is whole, or says that it does not") {
    const std::string whole = kBlock;
    for (std::size_t size = 0; size < whole.size(); ++size) {
        CAPTURE(size);
        const ApiReport report = report_of(kReshaped, whole.substr(0, size).c_str());
        const bool told = contains(codes_of(report.diagnostics), "construct_unread ");
        const bool used = finding_on(report, "Module.block.Block.forward.0").verdict == ApiVerdict::inherited;
        CHECK(told != used);
    }
}

TEST_CASE("api nesting: a cut construct.json that does not place a first culprit is reported, for that alone, too") {
    const std::string whole = R"({"Functional.linear.0.forward": "Module.block.Block.forward.0",
 "Module.block.Block.forward.0": null, "Torch.other.0.forward": null})";
    const std::size_t placed = whole.find(", \"Torch.other") + 1;  // the call is whole with this comma
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        CAPTURE(size);
        const ApiReport report = report_of(kBorn, whole.substr(0, size).c_str());
        CHECK(contains(codes_of(report.diagnostics), "construct_unread ") == (size < placed));
    }
    for (const char* construct : {"{}", kNone}) {
        const ApiReport report = report_of(kBorn, construct);
        CHECK_FALSE(contains(codes_of(report.diagnostics), "construct_unread "));
    }
}
