#include "logs/formats/unasked_line.hpp"

#include <optional>

#include "logs/facts/fact_members.hpp"
#include "logs/facts/launch_lines.hpp"

namespace opdebug::logs {
namespace {

template <class Small>
bool holds(const std::optional<std::uint64_t>& id) noexcept {
    return !id || *id < std::numeric_limits<Small>::max();
}

template <class Small>
Small small(const std::optional<std::uint64_t>& id) noexcept {
    return id ? static_cast<Small>(*id) : std::numeric_limits<Small>::max();
}

template <class Small>
std::optional<std::uint64_t> wide(Small id) noexcept {
    return id != std::numeric_limits<Small>::max() ? std::optional<std::uint64_t>(id) : std::nullopt;
}

}  // namespace

TaskIds UnaskedIds::task_ids() const noexcept {
    TaskIds ids;
    ids.stream_id = stream_id;
    ids.task_id = task_id;
    ids.device_id = wide(device_id);
    ids.task_type = wide(task_type);
    return ids;
}

bool UnaskedIds::submits_a_kernel() const noexcept {
    return logs::submits_a_kernel(kind, task_type == kNoType ? kKernelOfAnyType : task_type);
}

bool UnaskedIds::hold(const Fact& fact) noexcept {
    return fact.stream_id && holds<std::uint32_t>(fact.stream_id) && fact.task_id &&
           holds<std::uint32_t>(fact.task_id) && holds<std::uint16_t>(fact.device_id) &&
           holds<std::uint8_t>(fact.task_type);
}

UnaskedIds UnaskedIds::of(const LineFact& fact) noexcept {
    UnaskedIds ids;
    ids.stream_id = small<std::uint32_t>(fact.number(number_index(&Fact::stream_id)));
    ids.task_id = small<std::uint32_t>(fact.number(number_index(&Fact::task_id)));
    ids.device_id = small<std::uint16_t>(fact.number(number_index(&Fact::device_id)));
    ids.task_type = small<std::uint8_t>(fact.number(number_index(&Fact::task_type)));
    ids.kind = fact.kind;
    return ids;
}

}  // namespace opdebug::logs
