// `--tensors` of decode and scan: verdicts and chains in every form.
#include <doctest/doctest.h>

#include "json_schema.hpp"
#include "overflow_tree.hpp"
#include "tool.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

const Tensor clean = half_tensor({half_one, half_two});
const Tensor infinite = half_tensor({half_one, half_inf});

/// Step 3 of rank 0: nothing visible, then born in net/exp, then inherited.
struct Job {
    TemporaryDirectory directory;
    std::string root = directory.path().string();
    MadeUpOverflow nothing, born, inherited;

    Job() {
        nothing.step = born.step = inherited.step = 3;
        nothing.op_name = "net/mul";
        nothing.inputs = nothing.outputs = {clean};
        born.op_name = "net/exp";
        born.milliseconds = 100;
        born.inputs = {clean};
        born.outputs = {infinite};
        inherited.op_name = "net/add";
        inherited.milliseconds = 200;
        inherited.inputs = inherited.outputs = {infinite};
        for (const MadeUpOverflow* overflow : {&nothing, &born, &inherited}) {
            write_overflow(root, *overflow);
        }
    }
};

ProcessResult scan_job(const Job& job, const std::string& form, std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"scan", job.root, "--tensors", "--format", form});
    return run_tool(more);
}

}  // namespace

TEST_CASE("tensors option: decode gives the tensors and the verdict") {
    const Job job;
    const ProcessResult run = run_tool({"decode", overflow_file(job.root, job.born), "--tensors"});
    CHECK(run.exit_status == 0);
    const ordered_json document = ordered_json::parse(run.out);
    CHECK(document["origin"]["verdict"] == "born_here");
    CHECK(document["tensors"].size() == 2);
    CHECK(document["tensors"][1]["pos_inf"] == 1);
    if (const auto verdict = schema_verdict("record", as_line(run.out))) {
        CHECK(*verdict == "1 valid\n");
    }
    const ProcessResult text =
        run_tool({"decode", overflow_file(job.root, job.born), "--tensors", "--format", "text", "--lang", "zh"});
    CHECK(contains(text.out, "在此产生"));
}

TEST_CASE("tensors option: a damaged operator dump is reported, and costs exit status 1 but not the document") {
    Job job;
    job.born.missing_bytes = 2;
    write_overflow(job.root, job.born);
    const ProcessResult run = run_tool({"decode", overflow_file(job.root, job.born), "--tensors"});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, "Exp.net_exp.200.563."));
    CHECK(ordered_json::parse(run.out)["overflow"] == true);
    const ProcessResult report = scan_job(job, "json");
    CHECK(report.exit_status == 1);
    CHECK(ordered_json::parse(report.out)["counts"]["overflowed"] == 3);
    CHECK(contains(scan_job(job, "text").out, "[op_dumps_damaged] 1 operator dump could not be measured completely"));
    CHECK(run_tool({"decode", overflow_file(job.root, job.born)}).exit_status == 0);
}

TEST_CASE("tensors option: a chain of dumps that show less: outputs only, damaged, none") {
    const TemporaryDirectory directory;
    const std::string root = directory.path().string();
    MadeUpOverflow none, damaged, outputs;
    none.with_op_dump = false;
    damaged.op_name = "net/damaged";
    damaged.milliseconds = 100;
    damaged.inputs = damaged.outputs = {clean};
    damaged.missing_bytes = 2;
    outputs.op_name = "net/outputs";
    outputs.milliseconds = 200;
    outputs.outputs = {infinite};
    for (const MadeUpOverflow* overflow : {&none, &damaged, &outputs}) {
        write_overflow(root, *overflow);
    }
    ProcessOptions wide;
    wide.environment = {{"COLUMNS", "200"}};
    const ProcessResult text = run_tool({"scan", root, "--tensors", "--format", "text"}, wide);
    CHECK(text.exit_status == 1);
    CHECK(contains(text.out, "net/outputs (Exp)  bad value shown, origin unknown: the dump contains no inputs"));
    CHECK(contains(text.out, "2 of the 2 dumps before the first bad value have no operator dump"));
    CHECK(contains(run_tool({"scan", root, "--tensors", "--format", "html"}).out, "bad value shown, origin unknown"));
    const std::string json = run_tool({"scan", root, "--tensors", "--format", "json"}).out;
    const ordered_json chain = ordered_json::parse(json)["chains"][0];
    CHECK(chain["first_bad"]["verdict"] == "not_visible");
    CHECK(chain["first_bad"]["bad_output"] == true);
    CHECK(chain["first_bad"]["bad_input"] == false);
    CHECK(chain["dumps"][0]["op_dump"] == "absent");
    CHECK(chain["dumps"][0]["bad_output"].is_null());
    CHECK(chain["dumps"][1]["op_dump"] == "damaged");
    CHECK(chain["dumps"][2]["op_dump"] == "whole");
    if (const auto verdict = schema_verdict("report", as_line(json))) {
        CHECK(*verdict == "1 valid\n");
    }
}
