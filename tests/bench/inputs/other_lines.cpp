#include "other_lines.hpp"

#include <fmt/format.h>

namespace opdebug::bench {
namespace {

/// {0}: thread, {1} and {2}: numbers. Own words; modules, forms and lengths (half of the lines above 159 bytes) as in a
/// real log of 2023, where GE writes six lines of ten. Some come near to what task lines state.
struct OtherLine {
    const char* level;
    const char* module;
    const char* rest;
};

constexpr OtherLine kLines[] = {
    {"INFO", "GE",
     "[graph_loader.cc:214]{0} ReadSections:section {1} of the graph is at offset {2}, checked against its table"},
    {"INFO", "GE",
     "[memory_planner.cc:388]{0} PlaceBlocks:block {1} of size {2} is placed behind its neighbour, reuse is allowed"},
    {"INFO", "GE",
     "[node_item.cc:97]{0} ResolveInputs:node net/layer_{1}/attention/MatMulV2_{2} has 2 inputs and 1 output, all are "
     "known"},
    {"INFO", "GE",
     "[shape_inference.cc:152]{0} InferOne:infer shape of net/layer_{1}/add_{2} begins, format NCHW, origin format ND"},
    {"INFO", "GE",
     "[shape_inference.cc:160]{0} InferOne:infer shape of net/layer_{1}/add_{2} ends, result [{1}, {2}], data type "
     "DT_FLOAT16"},
    {"INFO", "GE", "[op_desc.cc:1420]{0} SetWorkspace:workspace of operator {1} is {2} bytes"},
    {"INFO", "GE", "[error_table.cc:511]{0} AddCode:code E1{1} is known"},
    {"INFO", "GE",
     "[caching_allocator.cc:268]{0} [allocator_1] Take:block of {2} bytes from pool {1}, in use 12345678, peak "
     "23456789"},
    {"INFO", "GE",
     "[stream_assigner.cc:301]{0} AssignOne:node {1} goes to logical stream {2}, as its predecessor does"},
    {"INFO", "GE",
     "[hybrid_executor.cc:88]{0} Step:iteration {1} of the dynamic graph is prepared in {2} us, output count 1"},
    {"INFO", "GE",
     "[attribute_map.cc:61]{0} Get:attribute _kernel_bin_id of node {1} is not set, default {2} is taken"},
    {"INFO", "GE", "[pass_manager.cc:133]{0} Run:pass ConstantFolding changed {1} nodes of {2}"},
    {"INFO", "RUNTIME", "[npu_driver.cc:1188] {0} MemCopySync: copied {2} bytes to the device, kind 1, slot {1}"},
    {"INFO", "RUNTIME", "[event.cc:402] {0} Record: event_id={1}, device_id=0, state is 1, wait {2} us"},
    {"INFO", "RUNTIME",
     "[stream.cc:1377] {0} AddTaskToList: public task, stream_id=9, task_id={1}, task_type=5 (MEMCPY), head={2}, "
     "tail=1"},
    {"INFO", "RUNTIME",
     "[logger.cc:166] {0} TaskFinished: device_id=0, stream_id=9, task_id={1}, task_type=5 (MEMCPY), "
     "task_finish_num={2}"},
    {"INFO", "RUNTIME", "[runtime.cc:2210] {0} PoolUsed: arguments pool {1} has {2} free slots"},
    {"INFO", "FMK",
     "[adapter/common/adapter_log.cc:27][TF_ADAPTER] [adapter/util/options.cc:229]  option {1} of session {2} is "
     "empty, its default is taken"},
    {"EVENT", "FMK",
     "[adapter/common/adapter_log.cc:27][TF_ADAPTER] [adapter/optimizers/split_pass.cc:214]  subgraph_{1} begins, "
     "iterations in a loop {2}, input shapes are known"},
    {"INFO", "FE", "[op_store.cc:70]{0} Find:\"Operator {1} of store tbe-custom is looked up by {2} keys.\""},
    {"WARNING", "FE", "[fusion_rules.cc:183]{0} Sort:\"No rule {1} for this engine among {2}, it is left out.\""},
    {"INFO", "AICPU", "[kernel_library.cc:36][Open][tid:{0}]:\"Library {1} is opened, {2} kernels are registered.\""},
    {"INFO", "DRV", "[ascend][curpid: 5100, {0}][drv][queue][QueueWait 339]wait succeed, queue={1}, left={2}"},
    {"INFO", "HCCL", "[communicator.cc:412][5100][{0}]rank {1} begins its part {2} of the ring"},
    {"INFO", "TDT", "[channel.cpp:165][Receive][tid:{0}] [deviceId=0] message {1} of {2} bytes has come"},
    {"INFO", "ASCENDCL", "[stream.cpp:129]{0} WaitForStream: wait for stream ends after {1} polls, {2} us"},
    {"INFO", "OP",
     "[fusion_pass.cc:50][OP_PROTO][Define][{0}] OpName:[Pattern{1}] \"pattern of {2} nodes is defined\""},
};

/// GE's lines come twice as often as their number states.
constexpr std::uint64_t kGeLines = 12;

}  // namespace

void add_other_line(test::LogText& log, int thread, test::Random& random) {
    const std::uint64_t place = random.below(std::size(kLines) + kGeLines);
    const OtherLine& line = kLines[place < std::size(kLines) ? place : place - std::size(kLines)];
    const std::uint64_t numbers = random.number();
    log.line(line.level, line.module,
             fmt::format(fmt::runtime(line.rest), thread, numbers % 977, numbers / 1024 % 100'000));
}

}  // namespace opdebug::bench
