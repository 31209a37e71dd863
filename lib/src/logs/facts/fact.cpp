// Names of the statements and of their members: the vocabulary of the log-format files.
#include "logs/facts/fact.hpp"

#include <algorithm>
#include <array>

#include "logs/facts/each_bit.hpp"
#include "logs/facts/fact_members.hpp"

namespace opdebug::logs {
namespace {

using std::string_view;

struct FactKindRow {
    FactKind kind;
    string_view name;
    std::array<string_view, 3> all;  // required members, the unused ones empty
    std::array<string_view, 2> any;  // one of them is required
};

constexpr std::array<FactKindRow, 35> kFactKinds{{
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
    {FactKind::overflow_report, "overflow_report", {"stream_id"}, {"task_id", "task_sn"}},
    {FactKind::capture_stream, "capture_stream", {"stream_id", "origin_stream_id"}, {}},
    {FactKind::capture_end, "capture_end", {"stream_id", "origin_stream_id"}, {}},
    {FactKind::model_end, "model_end", {}, {"model_id", "ge_model_id"}},
    {FactKind::visible_device, "visible_device", {"device_id", "user_device_id"}, {}},
    {FactKind::process_device, "process_device", {}, {"device_id", "user_device_id"}},
    {FactKind::dump_folder, "dump_folder", {"dump_folder"}, {}},
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
std::span<const string_view> used(const std::array<string_view, count>& names) noexcept {
    std::size_t length = 0;
    while (length < count && !names[length].empty()) {
        ++length;
    }
    return {names.data(), length};
}

/// Bits of the members of a requirement, found by their names when this is compiled: each line that states something is
/// asked.
struct NeededMembers {
    std::uint32_t numbers = 0, texts = 0;

    constexpr void add(string_view name) {
        for (std::size_t index = 0; index < kNumbers.size(); ++index) {
            numbers |= kNumbers[index].name == name ? std::uint32_t{1} << index : 0;
        }
        for (std::size_t index = 0; index < kTexts.size(); ++index) {
            texts |= kTexts[index].name == name ? std::uint32_t{1} << index : 0;
        }
    }
};

struct NeededOfKind {
    NeededMembers all, any;
};

constexpr std::array<NeededOfKind, kFactKinds.size()> needed_members() {
    std::array<NeededOfKind, kFactKinds.size()> needed{};
    for (std::size_t kind = 0; kind < kFactKinds.size(); ++kind) {
        const FactKindRow row = kFactKinds[kind];  // a copy: GCC 12 takes going through a part of it for a change
        for (const string_view name : row.all) {
            needed[kind].all.add(name);
        }
        for (const string_view name : row.any) {
            needed[kind].any.add(name);
        }
    }
    return needed;
}

constexpr auto kNeeded = needed_members();

constexpr std::optional<std::uint64_t> kAbsentNumber;

}  // namespace

string_view to_string(FactKind kind) noexcept {
    return kFactKinds[static_cast<std::size_t>(kind)].name;
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
    std::string names;
    for (const FactKindRow& row : kFactKinds) {
        names += (names.empty() ? "" : ", ") + std::string(row.name);
    }
    return names;
}

std::string log_kind_names() {
    std::string names;
    for (const string_view name : kLogKinds) {
        names += (names.empty() ? "" : ", ") + std::string(name);
    }
    return names;
}

void clear(Fact& fact) noexcept {
    fact.kind = {};
    fact.log = {};
    fact.format_id.clear();
    for (const NumberMember& number : kNumbers) {
        fact.*number.member = kAbsentNumber;  // reset() looks first whether there is one, for which the processor waits
    }
    for (const TextMember& text : kTexts) {
        (fact.*text.member).clear();
    }
    fact.task_id_provisional = fact.task_id_unconfirmed = fact.task_id_from_sn = false;
    fact.of_model = fact.name_cut = false;
}

bool says_the_same(const Fact& a, const Fact& b) noexcept {
    const auto same = [&a, &b](const auto& row) { return a.*row.member == b.*row.member; };
    return a.kind == b.kind && a.log == b.log && std::all_of(kFlags.begin(), kFlags.end(), same) &&
           std::all_of(kNumbers.begin(), kNumbers.end(), same) && a.format_id == b.format_id &&
           std::all_of(kTexts.begin(), kTexts.end(), same);
}

std::span<const NumberMember> number_members() noexcept {
    return kNumbers;
}

std::span<const TextMember> text_members() noexcept {
    return kTexts;
}

Requirement requirement(FactKind kind) noexcept {
    const FactKindRow& row = kFactKinds[static_cast<std::size_t>(kind)];
    return {used(row.all), used(row.any)};
}

bool needs_task_id(FactKind kind) noexcept {
    const std::span<const string_view> all = requirement(kind).all;
    return std::find(all.begin(), all.end(), "task_id") != all.end();
}

bool is_complete(FactKind kind, std::uint32_t numbers, std::uint32_t texts) noexcept {
    const auto& [all, any] = kNeeded[static_cast<std::size_t>(kind)];
    const bool needs_any = (any.numbers | any.texts) != 0;
    return (numbers & all.numbers) == all.numbers && (texts & all.texts) == all.texts &&
           (!needs_any || (numbers & any.numbers) != 0 || (texts & any.texts) != 0);
}

bool is_complete(const Fact& fact) noexcept {
    const auto& [all, any] = kNeeded[static_cast<std::size_t>(fact.kind)];
    std::uint32_t numbers = 0;  // only those that are asked for
    for_each_bit(all.numbers | any.numbers, [&](std::size_t index) {
        numbers |= ((fact.*kNumbers[index].member).has_value() ? std::uint32_t{1} : 0) << index;
    });
    std::uint32_t texts = 0;
    for_each_bit(all.texts | any.texts, [&](std::size_t index) {
        texts |= ((fact.*kTexts[index].member).empty() ? 0 : std::uint32_t{1}) << index;
    });
    return is_complete(fact.kind, numbers, texts);
}

}  // namespace opdebug::logs
