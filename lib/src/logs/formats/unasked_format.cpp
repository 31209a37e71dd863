#include "logs/formats/unasked_format.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "logs/facts/fact_members.hpp"
#include "logs/facts/launch_lines.hpp"
#include "logs/formats/format_match.hpp"

namespace opdebug::logs {
namespace {

/// Whether what has such a member may decide whether a launch is needed.
bool decides(std::string_view member) noexcept {
    constexpr std::array<std::string_view, 7> kDeciding{"stream_id", "task_id",  "device_id", "task_type",
                                                        "task_sn",   "address1", "address2"};
    return std::find(kDeciding.begin(), kDeciding.end(), member) != kDeciding.end();
}

/// Names under which something is remembered that may do more than complete names and models.
std::set<std::string_view> deciding_memories(const std::vector<CompiledFormat>& formats) {
    std::set<std::string_view> names;
    for (const CompiledFormat& format : formats) {
        const FormatDefinition& definition = format.definition;
        const bool has_constant = std::any_of(definition.constants.begin(), definition.constants.end(),
                                              [](const Constant& constant) { return decides(constant.member); });
        if (definition.once || has_constant ||
            std::any_of(definition.captures.begin(), definition.captures.end(), decides)) {
            names.insert(definition.remembers);
        }
    }
    return names;
}

/// False where it is stated in a way that is not read quickly.
bool find_id(const CompiledFormat& format, std::string_view member, IdOfFormat& id) noexcept {
    for (const CapturedMember& number : format.numbers) {
        if (kNumbers[number.member].name == member) {
            id.capture = static_cast<std::uint8_t>(number.capture);
        }
    }
    for (const auto& [number, value] : format.constants) {
        if (kNumbers[number].name == member) {
            id.capture = IdOfFormat::kNone;
            id.constant = static_cast<std::uint8_t>(value);
            return value < IdOfFormat::kNone;
        }
    }
    return true;
}

bool has_number(const CompiledFormat& format, std::string_view member) noexcept {
    IdOfFormat id;
    return !find_id(format, member, id) || id.capture != IdOfFormat::kNone || id.constant != IdOfFormat::kNone;
}

/// Lines of kernels hang on other lines of their thread: submit lines have the ids of launches. So do those that an
/// earlier line completes, unless it gives them nothing but names.
UnaskedUse use_of(const FormatDefinition& definition, const std::set<std::string_view>& deciding) {
    const bool gets_names_only =
        std::none_of(definition.completed_by.begin(), definition.completed_by.end(),
                     [&deciding](const std::string& name) { return deciding.count(name) != 0; });
    if (!definition.remembers.empty() || !definition.forgets.empty()) {
        return UnaskedUse::read;
    }
    if (definition.task_id_provisional) {
        return gets_names_only && is_kernel_launch(definition.states) ? UnaskedUse::listed : UnaskedUse::read;
    }
    return !gets_names_only                        ? UnaskedUse::listed
           : definition.states == FactKind::submit ? UnaskedUse::listed_of_kernels
                                                   : UnaskedUse::noted;
}

UnaskedFormat unasked_of(const CompiledFormat& format, const std::set<std::string_view>& deciding) {
    UnaskedFormat unasked;
    unasked.use = use_of(format.definition, deciding);
    const bool are_plain =
        find_id(format, "stream_id", unasked.stream_id) && find_id(format, "task_id", unasked.task_id) &&
        find_id(format, "device_id", unasked.device_id) && find_id(format, "task_type", unasked.task_type) &&
        find_id(format, "address1", unasked.address1) && find_id(format, "address2", unasked.address2);
    const bool are_captured =
        unasked.stream_id.capture != IdOfFormat::kNone && unasked.task_id.capture != IdOfFormat::kNone &&
        unasked.address1.constant == IdOfFormat::kNone && unasked.address2.constant == IdOfFormat::kNone;
    unasked.has_plain_ids = are_plain && are_captured && is_of_one_task(format.definition.states) &&
                            format.definition.ignore.empty() && format.needed_texts && !has_number(format, "task_sn");
    return unasked;
}

}  // namespace

bool is_of_one_task(FactKind kind) noexcept {
    switch (kind) {
        case FactKind::operator_of_task:
        case FactKind::dumped_with_task:
        case FactKind::kernel_of_task:
        case FactKind::unnamed_launch:
        case FactKind::fault_kernel:
        case FactKind::end_of_graph_task:
        case FactKind::debug_task:
        case FactKind::task_fault:
        case FactKind::overflow_report:
        case FactKind::submit: return true;
        default: return false;
    }
}

void find_unasked(std::vector<CompiledFormat>& formats) {
    const std::set<std::string_view> deciding = deciding_memories(formats);
    for (CompiledFormat& format : formats) {
        format.unasked = unasked_of(format, deciding);
    }
}

UnaskedUse use_of_line(UnaskedUse use, FactKind kind, std::uint8_t task_type) noexcept {
    if (use != UnaskedUse::listed_of_kernels) {
        return use;
    }
    return submits_a_kernel(kind, task_type == UnaskedIds::kNoType ? kKernelOfAnyType : task_type) ? UnaskedUse::listed
                                                                                                   : UnaskedUse::noted;
}

}  // namespace opdebug::logs
