#include "overflow_tree.hpp"

#include <algorithm>

#include "temporary_directory.hpp"

namespace opdebug::test {
namespace {

constexpr std::uint64_t stream = 563;

std::string folder_of(const std::string& root, const MadeUpOverflow& overflow) {
    return root + "/rank_" + std::to_string(overflow.rank) + "/Net/0/" + std::to_string(overflow.step) + "/";
}

/// Each overflow of a folder has a task of its own.
std::uint64_t task_of(const MadeUpOverflow& overflow) {
    return 100 + overflow.milliseconds;
}

std::uint64_t time_of(const MadeUpOverflow& overflow) {
    return job_begin_us + overflow.milliseconds * 1000;
}

}  // namespace

Tensor half_tensor(const std::vector<std::uint16_t>& bits) {
    Buffer data;
    for (const std::uint16_t value : bits) {
        data.push_back(static_cast<std::uint8_t>(value & 0xFFU));
        data.push_back(static_cast<std::uint8_t>(value >> 8U));
    }
    Tensor made = tensor(data);
    made.data_type = 2;  // DT_FLOAT16
    made.dims = {bits.size()};
    return made;
}

std::string overflow_file(const std::string& root, const MadeUpOverflow& overflow) {
    return folder_of(root, overflow) + "Opdebug.Node_OpDebug." + std::to_string(task_of(overflow)) + "." +
           std::to_string(stream) + "." + std::to_string(time_of(overflow));
}

std::string op_dump_file(const std::string& root, const MadeUpOverflow& overflow) {
    std::string name = overflow.op_name;
    std::replace_if(
        name.begin(), name.end(), [](char letter) { return letter == '/' || letter == '.'; }, '_');
    return folder_of(root, overflow) + "Exp." + name + "." + std::to_string(task_of(overflow)) + "." +
           std::to_string(stream) + "." + std::to_string(time_of(overflow) - 500);
}

void write_overflow(const std::string& root, const MadeUpOverflow& overflow) {
    LegacyPayload payload = ai_core_example();
    payload.ai_core.task_id = task_of(overflow);
    DumpFile dump = overflow_dump(build_payload(payload));
    dump.dump_time = time_of(overflow);
    write_file(overflow_file(root, overflow), build_v2(dump));
    if (overflow.with_op_dump) {
        DumpFile op_dump;
        op_dump.inputs = overflow.inputs;
        op_dump.outputs = overflow.outputs;
        op_dump.op_name = overflow.op_name;
        write_file(op_dump_file(root, overflow), cut(build_v2(op_dump), overflow.missing_bytes));
    }
}

}  // namespace opdebug::test
