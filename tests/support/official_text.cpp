// The official converter's texts.
#include "official_text.hpp"

namespace opdebug::test {
namespace {

std::string zero_unit(const std::string& unit) {
    return "    \"" + unit + R"(": {
        "model_id": 0,
        "stream_id": 0,
        "task_id": 0,
        "task_type": 0,
        "pc_start": "0x0",
        "para_base": "0x0",
        "status": 0
    },
)";
}

}  // namespace

std::string official_ai_core_text(std::uint64_t status) {
    return "{\n" + zero_unit("DHA Atomic Add") + zero_unit("L2 Atomic Add") + R"(    "AI Core": {
        "model_id": 514,
        "stream_id": 563,
        "task_id": 57,
        "task_type": 0,
        "pc_start": "0x1008005b0000",
        "para_base": "0x100800297000",
        "kernel_code": "0x1008005ae000",
        "block_idx": 1,
        "status": )" +
           std::to_string(status) + "\n    }\n}";
}

AcceleratorPayload aiv_example() {
    AcceleratorPayload payload;
    payload.version = 1;
    payload.entries = {
        {1, 1, 0, std::nullopt, {365, 396, 65, 66, 65535, 65535, 0x124040184000, 0x1240401ff5f0, 0, 15, 1, 0, 0, 0}}};
    return payload;
}

std::string official_aiv_text() {
    return R"({
    "magic": "0x5a5a5a5a",
    "version": 1,
    "acc_list": {
        "valid": 1,
        "acc_type": "AIV",
        "rsv": 0,
        "data_len": 112,
        "data": {
            "model_id": 365,
            "stream_id": 396,
            "task_id": 65,
            "task_type": 66,
            "context_id": 65535,
            "thread_id": 65535,
            "pc_start": "0x124040184000",
            "para_base": "0x1240401ff5f0",
            "core_id": 0,
            "block_id": 15,
            "status": [
                1,
                0,
                0,
                0
            ]
        }
    }
})";
}

}  // namespace opdebug::test
