// Names of the container forms and of the kinds of tensors.
#include <opdebug/container.hpp>

namespace opdebug {
inline namespace v0 {

std::string_view to_string(Container container) noexcept {
    switch (container) {
        case Container::dump_data_v2: return "dump_data_v2";
        case Container::dump_data_v1: return "dump_data_v1";
        case Container::nano: return "nano";
    }
    return "unknown";
}

std::string_view to_string(TensorKind kind) noexcept {
    return kind == TensorKind::input ? "input" : "output";
}

}  // namespace v0
}  // namespace opdebug
