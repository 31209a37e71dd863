// Names of the statements and of their members: the vocabulary of the log-format files.
#include "logs/facts/fact.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace opdebug::logs {
namespace {

using std::string_view;

/// A member that a statement needs, found by its name at compile time.
struct NeededMember {
    string_view name;
    std::optional<std::uint64_t> Fact::*number = nullptr;
    std::string Fact::*text = nullptr;

    constexpr NeededMember() = default;
    constexpr NeededMember(const char* member) : name(member) {
        for (const NumberMember& row : kNumbers) {
            number = row.name == name ? row.member : number;
        }
        for (const TextMember& row : kTexts) {
            text = row.name == name ? row.member : text;
        }
    }

    bool is_in(const Fact& fact) const noexcept {
        return number != nullptr ? (fact.*number).has_value() : !(fact.*text).empty();
    }
};

struct FactKindRow {
    FactKind kind;
    string_view name;
    std::array<NeededMember, 3> all;  // the unused ones without name
    std::array<NeededMember, 2> any;  // one of them is needed
};

constexpr std::array<FactKindRow, 39> kFactKinds{{
    {FactKind::operator_of_task, "operator_of_task", {"stream_id", "task_id", "operator_name"}, {}},
    {FactKind::dumped_with_task, "dumped_with_task", {"stream_id", "task_id", "operator_name"}, {}},
    {FactKind::kernel_of_task, "kernel_of_task", {"stream_id", "task_id", "kernel_name"}, {}},
    {FactKind::unnamed_launch, "unnamed_launch", {"stream_id", "task_id"}, {}},
    {FactKind::fault_kernel, "fault_kernel", {"stream_id", "task_id", "kernel_name"}, {}},
    {FactKind::stream_open, "stream_open", {"stream_id"}, {}},
    {FactKind::stream_close, "stream_close", {"stream_id"}, {}},
    {FactKind::model_bind, "model_bind", {"model_id", "stream_id"}, {}},
    {FactKind::model_unbind, "model_unbind", {"model_id", "stream_id"}, {}},
    {FactKind::model_of_task, "model_of_task", {"model_id", "stream_id", "task_id"}, {}},
    {FactKind::ge_model_stream, "ge_model_stream", {"stream_id"}, {}},
    {FactKind::ge_model, "ge_model", {"ge_model_id"}, {"graph_id", "model_name"}},
    {FactKind::runtime_model, "runtime_model", {"model_id", "model_name"}, {}},
    {FactKind::model_of_stream, "model_of_stream", {"model_name", "stream_id"}, {}},
    {FactKind::model_load_begin, "model_load_begin", {"model_file"}, {}},
    {FactKind::model_load_end, "model_load_end", {"ge_model_id"}, {}},
    {FactKind::graph_name, "graph_name", {"graph_id", "model_name"}, {}},
    {FactKind::end_of_graph_task, "end_of_graph_task", {"stream_id", "task_id"}, {}},
    {FactKind::debug_task, "debug_task", {"stream_id", "task_id"}, {}},
    {FactKind::submit, "submit", {"stream_id", "task_id"}, {}},
    {FactKind::model_execute, "model_execute", {}, {"model_id", "ge_model_id"}},
    {FactKind::task_renumbered, "task_renumbered", {"stream_id", "task_id", "previous_task_id"}, {}},
    {FactKind::ids_wrapped, "ids_wrapped", {"stream_id", "flip_num"}, {}},
    {FactKind::task_fault, "task_fault", {"stream_id", "task_id"}, {}},
    {FactKind::failure, "failure", {}, {}},
    {FactKind::stated_error, "stated_error", {"reason"}, {}},
    {FactKind::stated_overflow, "stated_overflow", {}, {}},
    {FactKind::overflow_report, "overflow_report", {"stream_id"}, {"task_id", "task_sn"}},
    {FactKind::capture_stream, "capture_stream", {"stream_id", "origin_stream_id"}, {}},
    {FactKind::capture_end, "capture_end", {"stream_id", "origin_stream_id"}, {}},
    {FactKind::model_end, "model_end", {}, {"model_id", "ge_model_id"}},
    {FactKind::visible_device, "visible_device", {"device_id", "user_device_id"}, {}},
    {FactKind::process_device, "process_device", {}, {"device_id", "user_device_id"}},
    {FactKind::dump_folder, "dump_folder", {"dump_folder"}, {}},
    {FactKind::process_rank, "process_rank", {"rank", "rank_count", "rank_group"}, {}},
    {FactKind::run_begin, "run_begin", {}, {}},
    {FactKind::run_pause, "run_pause", {}, {}},
    {FactKind::part, "part", {}, {}},
    {FactKind::nothing, "nothing", {}, {}},
}};

constexpr bool rows_in_order_of_enumerators() {
    for (std::size_t index = 0; index < kFactKinds.size(); ++index) {
        if (static_cast<std::size_t>(kFactKinds[index].kind) != index) {
            return false;
        }
    }
    return true;
}
static_assert(rows_in_order_of_enumerators());

constexpr std::array<string_view, 3> kLogKinds{"ge_log", "runtime_log", "device_log"};

template <std::size_t count>
std::vector<string_view> names_of(const std::array<NeededMember, count>& members) {
    std::vector<string_view> names;
    names.reserve(count);
    for (const NeededMember& member : members) {
        if (!member.name.empty()) {
            names.push_back(member.name);
        }
    }
    return names;
}

const FactKindRow& row_of(FactKind kind) noexcept {
    return kFactKinds[static_cast<std::size_t>(kind)];
}

}  // namespace

string_view to_string(FactKind kind) noexcept {
    return row_of(kind).name;
}

string_view to_string(LogKind kind) noexcept {
    return kLogKinds[static_cast<std::size_t>(kind)];
}

std::optional<FactKind> fact_kind_from(string_view name) noexcept {
    for (const FactKindRow& row : kFactKinds) {
        if (row.name == name) {
            return row.kind;
        }
    }
    return std::nullopt;
}

std::optional<LogKind> log_kind_from(string_view name) noexcept {
    for (std::size_t index = 0; index < kLogKinds.size(); ++index) {
        if (kLogKinds[index] == name) {
            return static_cast<LogKind>(index);
        }
    }
    return std::nullopt;
}

std::string fact_kind_names() {
    std::array<string_view, kFactKinds.size()> names;
    std::transform(kFactKinds.begin(), kFactKinds.end(), names.begin(),
                   [](const FactKindRow& row) { return row.name; });
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string log_kind_names() {
    return fmt::format("{}", fmt::join(kLogKinds, ", "));
}

bool is_number_member(std::string_view name) noexcept {
    return std::any_of(kNumbers.begin(), kNumbers.end(),
                       [name](const NumberMember& member) { return member.name == name; });
}

bool is_fact_member(std::string_view name) noexcept {
    const auto has_name = [name](const auto& member) { return name == "of_model" || member.name == name; };
    return std::any_of(kNumbers.begin(), kNumbers.end(), has_name) ||
           std::any_of(kTexts.begin(), kTexts.end(), has_name);
}

bool states_the_same(const Fact& a, const Fact& b) noexcept {
    const auto same = [&a, &b](const auto& row) { return a.*row.member == b.*row.member; };
    return a.kind == b.kind && a.log == b.log && std::all_of(kFlags.begin(), kFlags.end(), same) &&
           std::all_of(kNumbers.begin(), kNumbers.end(), same) && a.format_id == b.format_id &&
           std::all_of(kTexts.begin(), kTexts.end(), same);
}

Requirement requirement(FactKind kind) {
    return {names_of(row_of(kind).all), names_of(row_of(kind).any)};
}

bool needs_task_id(FactKind kind) noexcept {
    const auto& all = row_of(kind).all;
    return std::any_of(all.begin(), all.end(), [](const NeededMember& member) { return member.name == "task_id"; });
}

bool is_complete(const Fact& fact) noexcept {
    const FactKindRow& row = row_of(fact.kind);
    const auto is_missing = [&fact](const NeededMember& member) { return !member.name.empty() && !member.is_in(fact); };
    const auto is_there = [&fact](const NeededMember& member) { return !member.name.empty() && member.is_in(fact); };
    return std::none_of(row.all.begin(), row.all.end(), is_missing) &&
           (row.any.front().name.empty() || std::any_of(row.any.begin(), row.any.end(), is_there));
}

}  // namespace opdebug::logs
