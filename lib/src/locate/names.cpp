// Names of evidence kinds and confidences, as in JSON documents.
#include <opdebug/locate.hpp>

namespace opdebug {
inline namespace v0 {

std::string_view to_string(EvidenceKind kind) noexcept {
    switch (kind) {
        case EvidenceKind::op_dump: return "op_dump";
        case EvidenceKind::ge_log: return "ge_log";
        case EvidenceKind::runtime_log: return "runtime_log";
        case EvidenceKind::device_log: return "device_log";
        case EvidenceKind::task_map: return "task_map";
    }
    return "unknown";
}

std::string_view to_string(Confidence confidence) noexcept {
    switch (confidence) {
        case Confidence::exact: return "exact";
        case Confidence::kernel: return "kernel";
        case Confidence::type: return "type";
    }
    return "unknown";
}

}  // namespace v0
}  // namespace opdebug
