#include "logs/same_statement.hpp"

#include <algorithm>

namespace opdebug::logs {

bool says_the_same(const Fact& a, const Fact& b) {
    const auto equal = [&a, &b](const auto& row) { return a.*row.member == b.*row.member; };
    return a.kind == b.kind && a.log == b.log && a.format_id == b.format_id &&
           a.task_id_provisional == b.task_id_provisional && a.task_id_unconfirmed == b.task_id_unconfirmed &&
           a.task_id_from_sn == b.task_id_from_sn && a.name_cut == b.name_cut &&
           std::all_of(number_members().begin(), number_members().end(), equal) &&
           std::all_of(text_members().begin(), text_members().end(), equal);
}

bool is_launch(const Fact& fact) noexcept {
    return fact.kind == FactKind::kernel_of_task || fact.kind == FactKind::unnamed_launch ||
           fact.kind == FactKind::submit;
}

}  // namespace opdebug::logs
