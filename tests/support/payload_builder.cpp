// Payloads of OpDebug dumps, built field by field from the documented offsets.
#include "payload_builder.hpp"

namespace opdebug::test {
namespace {

constexpr std::size_t payload_size = 2048;

void set_info(Buffer& in, std::size_t offset, const LegacyUnit& unit) {
    set_u64(in, offset, unit.model_id);
    set_u64(in, offset + 8, unit.stream_id);
    set_u64(in, offset + 16, unit.task_id);
    set_u64(in, offset + 24, unit.task_type);
    set_u64(in, offset + 32, unit.pc_start);
    set_u64(in, offset + 40, unit.para_base);
}

std::size_t field_count(AccType type, std::uint32_t version) {
    switch (type) {
        case AccType::aicpu: return 8;
        case AccType::sdma: return 10;
        default: return version == 1 ? 14 : 11;
    }
}

}  // namespace

Buffer build_payload(const LegacyPayload& payload) {
    Buffer bytes(payload_size, payload.unused);
    set_info(bytes, 0, payload.dha);
    set_info(bytes, 128, payload.l2);
    set_info(bytes, 256, payload.ai_core);
    set_u64(bytes, 512, payload.dha.status);
    set_u64(bytes, 768, payload.l2.status);
    set_u64(bytes, 1024, payload.kernel_code);
    set_u64(bytes, 1032, payload.block_idx);
    set_u64(bytes, 1040, payload.ai_core.status);
    return bytes;
}

LegacyPayload ai_core_example(std::uint64_t status) {
    LegacyPayload payload;
    payload.ai_core = {514, 563, 57, 0, 0x1008005b0000, 0x100800297000, status};
    payload.kernel_code = 0x1008005ae000;
    payload.block_idx = 1;
    return payload;
}

Buffer build_payload(const AcceleratorPayload& payload) {
    Buffer bytes;
    put_u32(bytes, payload.magic);
    put_u32(bytes, payload.version);
    for (const AcceleratorEntry& entry : payload.entries) {
        put_u32(bytes, entry.valid);
        put_u32(bytes, entry.acc_type);
        put_u32(bytes, entry.rsv);
        put_u32(bytes, entry.data_len ? *entry.data_len : entry.data.size() * 8);
        for (const std::uint64_t value : entry.data) {
            put_u64(bytes, value);
        }
    }
    if (payload.padded && bytes.size() < payload_size) {
        bytes.resize(payload_size);
    }
    return bytes;
}

AcceleratorEntry counting_entry(AccType type, std::uint64_t first, std::uint32_t version) {
    AcceleratorEntry entry;
    entry.acc_type = static_cast<std::uint32_t>(type);
    for (std::size_t i = 0; i < field_count(type, version); ++i) {
        entry.data.push_back(first + i);
    }
    return entry;
}

AcceleratorEntry core_entry(AccType type, std::uint64_t task, std::uint64_t status, std::uint64_t core,
                            std::uint64_t block) {
    AcceleratorEntry entry;
    entry.acc_type = static_cast<std::uint32_t>(type);
    // model, stream, task, type, context, thread, pc, para, core, block, then the status
    entry.data = {3, 21, task, 0, 65535, 65535, 0, 0, core, block, status};
    return entry;
}

}  // namespace opdebug::test
