// Dumps of API calls, and traces of a profiler.
#include "api_dump_builder.hpp"
#include "packed_text.hpp"
#include "seeds.hpp"
#include "trace_builder.hpp"

namespace opdebug::fuzz {

using namespace test;

namespace {

/// A call of each kind that msprobe knows.
MadeDump calls_of_all_kinds() {
    MadeDump dump;
    const MadeValue nested =
        made_list({made_tensor("NaN", "NaN"), made_dict({{"mask", made_tensor("0.0", "-Infinity")}})});
    const MadeValue group = made_group({0, 1}, "77849d8c"), sent = made_point_to_point("isend", 1, made_tensor());
    dump.calls = {
        {"Torch.cat.0.forward", {nested}, {{"dim", made_scalar("int", "1")}}, {}, {made_tensor()}, 1, false},
        {"Module.fc.Linear.forward.0", {made_tensor()}, {}, {{"weight", made_tensor()}}, {made_tensor()}, {}, true},
        {"Distributed.all_reduce.0.forward", {made_tensor()}, {{"group", group}}, {}, {made_tensor()}, {}, false},
        {"Distributed.batch_isend_irecv.0.forward", {made_list({sent})}, {}, {}, {}, {}, false},
        {"Functional.linear.0.backward", {made_tensor()}, {}, {}, {made_tensor("65504.0")}, {}, false},
        {"Module.fc.Linear.parameters_grad.0", {}, {}, {{"weight", made_tensor()}}, {}, {}, false}};
    return dump;
}

/// Two linears and the backward of the second, on stream 3.
MadeTrace small_trace() {
    const char* const kernel = "aclnnAddmm_MatMulCommon_MatMulV2";
    MadeTrace trace;
    trace.step(0, 0, 1000);
    trace.operation("aten::linear", 100, 50);
    trace.launch(3, 0, kernel, 500, 115);
    trace.operation("aten::linear", 300, 50);
    trace.operation("aten::addmm", 310, 30, 1, 12);
    trace.launch(3, 1, kernel, 540, 315);
    trace.operation("AddmmBackward0", 605, 90, 2, 12);
    trace.launch(3, 2, "aclnnMm_MatMulCommon_MatMulV2", 800, 615, 2);
    trace.flow("fwdbwd", "1", 310, 1, 605, 4242, 2);
    trace.operation("aten::add_", 900, 10);
    trace.launch(3, 3, "aclnnInplaceAdd_AddAiCore_Add", 950, 905);
    return trace;
}

}  // namespace

void write_api_dumps(const Seeds& seeds) {
    const MadeDump dump = calls_of_all_kinds();
    const std::string whole = dump_json(dump, MsprobeVersion::june_2025, 0);
    seeds.add("msprobe_2024", dump_json(dump, MsprobeVersion::may_2024, 0));
    seeds.add("msprobe_2025", whole);
    seeds.add("msprobe_cut", whole.substr(0, whole.size() / 2));
    seeds.add("msprobe_deep", R"({"task":"x","data":{"A.a.0.forward":{"input":)" + std::string(600, '['));
    seeds.add("ptdbg_6", ptdbg_text(language_model_step(2, 1).calls, {6, false, {{"a.py", "7"}}}));
    seeds.add("ptdbg_overflow", ptdbg_text(language_model_step(3, 1).calls, {3, true, {{"a.py", "7"}}}));
    seeds.add("ptdbg_2022", "[\"Tensor_add_1_forward_output\", [1.5, NaN], \"torch.float32\", [2]]\n\n[\"Tensor");
    seeds.add("pickle", std::string_view("\x80\x04\x95"));
    seeds.add("statistic",
              "Op Type,Op Name,Task ID,Stream ID,Timestamp,IO,Slot,Data Type,Shape,Max Value,Min Value,Nan Count\n"
              "Add,net/Add,1,2,3,input,0,float16,\"(1,3)\",nan,-inf,4,\nAdd,net/Add,1,2,3,output,0,");
    seeds.add("operator_statistic",
              "Input/Output,Index,Data Type,Shape,Max Value\nInput,0,DT_FLOAT16,4x50,NA\nOutput,1,,,\n");
}

void write_traces(const Seeds& seeds) {
    const std::string whole = small_trace().text();
    seeds.add("list", whole);
    seeds.add("object", small_trace().in_object());
    seeds.add("cut", whole.substr(0, whole.size() / 2));
    seeds.add("packed", gzip_of(whole));
    MadeTrace again = small_trace();
    again.operation("aten::linear", 960, 5);
    again.launch(3, 1, "aclnnAddmm_MatMulCommon_MatMulV2", 990, 962);
    seeds.add("task_launched_twice", again.text());
    seeds.add("deep", R"([{"ph": "X", "args": )" + std::string(600, '['));
}

}  // namespace opdebug::fuzz
