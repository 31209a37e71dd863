#include "locate/statement_order.hpp"

#include <array>

namespace opdebug::locate_stage {
namespace {

constexpr std::array<StatementRow, 13> kRows{{{"ge.kernel_trace", Statement::execution_trace},
                                              {"ge.save_exception", Statement::exception_info},
                                              {"ge.find_exception", Statement::exception_info},
                                              {"ge.aic_info", Statement::exception_info},
                                              {"ge.tracked_fault", Statement::exception_info},
                                              {"ge.launch_dump", Statement::single_operator},
                                              {"adump.node", Statement::exception_info},
                                              {"aclnn.exception", Statement::exception_info},
                                              {"mindspore.dumped", Statement::single_operator},
                                              {"mindspore.dump", Statement::graph_task},
                                              {"mindspore.", Statement::exception_info},
                                              {"device.aicpu_", Statement::failure},
                                              {"runtime.fault_", Statement::failure}}};

}  // namespace

std::span<const StatementRow> statement_rows() noexcept {
    return kRows;
}

Statement statement_of(const logs::Fact& fact) noexcept {
    if (fact.operator_name.empty()) {
        return Statement::only_type;
    }
    for (const StatementRow& row : kRows) {
        if (std::string_view(fact.format_id).starts_with(row.id_begins_with)) {
            return row.statement;
        }
    }
    switch (fact.log) {
        case logs::LogKind::ge_log: return Statement::graph_task;
        case logs::LogKind::device_log: return Statement::device_table;
        case logs::LogKind::runtime_log: return Statement::single_operator;
    }
    return Statement::only_type;
}

bool names_whole_task(const logs::Fact& fact) noexcept {
    return fact.format_id == "ge.ffts_plus_distribute";
}

}  // namespace opdebug::locate_stage
