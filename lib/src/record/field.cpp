// Names of record fields and payload kinds.
#include <opdebug/record.hpp>

namespace opdebug {
inline namespace v0 {

std::string_view field_key(Field field) noexcept {
    switch (field) {
        case Field::model_id: return "model_id";
        case Field::stream_id: return "stream_id";
        case Field::task_id: return "task_id";
        case Field::task_type: return "task_type";
        case Field::context_id: return "context_id";
        case Field::thread_id: return "thread_id";
        case Field::cpu_id: return "cpu_id";
        case Field::pc_start: return "pc_start";
        case Field::para_base: return "para_base";
        case Field::kernel_code: return "kernel_code";
        case Field::block_idx: return "block_idx";
        case Field::core_id: return "core_id";
        case Field::block_id: return "block_id";
        case Field::src_addr: return "src_addr";
        case Field::dst_addr: return "dst_addr";
        case Field::channel_id: return "channel_id";
    }
    return "unknown";
}

bool field_is_address(Field field) noexcept {
    switch (field) {
        case Field::pc_start:
        case Field::para_base:
        case Field::kernel_code:
        case Field::src_addr:
        case Field::dst_addr: return true;
        default: return false;
    }
}

std::string_view to_string(Payload payload) noexcept {
    return payload == Payload::legacy ? "legacy" : "accelerator";
}

}  // namespace v0
}  // namespace opdebug
