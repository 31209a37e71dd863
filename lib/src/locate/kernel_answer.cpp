#include "locate/kernel_answer.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "locate/kernel_name.hpp"
#include "locate/name_in_files.hpp"
#include "logs/facts/numbered_node.hpp"
#include "logs/lookup/map_index.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::StoredFact;

/// The launch line and, where its task id was not final yet, the submit line that gave it.
void add_kernel_evidence(OperatorAnswer& answer, const StoredFact& kernel, const TaskMap::Contents& map) {
    answer.evidence.push_back(evidence_of(kernel, map));
    if (kernel.submit) {
        answer.evidence.push_back(evidence_of(kernel, *kernel.submit, map));
    }
}

}  // namespace

const StoredFact* kernel_fact(const TaskMatch& match) {
    const StoredFact* launch = nullptr;
    const StoredFact* fault = nullptr;
    for (const StoredFact* fact : match.use.facts) {
        const bool is_late = match.time_us && fact->time_us > *match.time_us + kClockSkewUs;
        if (fact->fact.kind == FactKind::kernel_of_task && (launch == nullptr || !is_late)) {
            launch = fact;
        }
        if (fact->fact.kind == FactKind::fault_kernel && fault == nullptr) {
            fault = fact;
        }
    }
    return launch != nullptr ? launch : fault;
}

std::vector<const StoredFact*> possible_kernels(const TaskMatch& match, const StoredFact& kernel) {
    constexpr std::int64_t kUnknownPid = -1;
    std::vector<const StoredFact*> kernels{&kernel};
    for (const StoredFact* fact : match.use.facts) {
        const bool is_new = std::none_of(kernels.begin(), kernels.end(), [fact](const StoredFact* known) {
            return known->fact.kernel_name == fact->fact.kernel_name;
        });
        if (match.process->pid == kUnknownPid && fact->fact.kind == FactKind::fault_kernel && is_new) {
            kernels.push_back(fact);
        }
    }
    return kernels;
}

bool is_kernel_of(const StoredFact& kernel, const std::string& node) {
    const std::optional<std::string> begin =
        kernel.fact.name_cut ? decode_kernel_name(kernel.fact.kernel_name).node : std::nullopt;
    return kernel_is_of_node(kernel.fact.kernel_name, node) || (begin && node.compare(0, begin->size(), *begin) == 0);
}

void add_kernel(std::vector<OperatorAnswer>& answers, const StoredFact& kernel, const TaskMap::Contents& map) {
    const auto is_its = [&kernel](const OperatorAnswer& answer) {
        return answer.name && is_kernel_of(kernel, *answer.name);
    };
    if (answers.size() > 1) {  // else it asks for memory all the same
        std::stable_partition(answers.begin(), answers.end(), is_its);
    }
    for (OperatorAnswer& answer : answers) {
        if (answers.size() == 1 || is_its(answer)) {
            answer.kernel = kernel.fact.kernel_name;
            answer.type = answer.type ? answer.type : decode_kernel_name(kernel.fact.kernel_name).operator_type;
            add_kernel_evidence(answer, kernel, map);
        }
    }
    if (answers.size() > 1 && is_its(answers[0]) && !is_its(answers[1])) {
        answers.resize(1);  // the kernel's name decides between the lines
    }
}

void remark_kernel_of_other(const std::vector<OperatorAnswer>& answers, const StoredFact& kernel,
                            const FullNames& names, const TaskMap::Contents& map,
                            std::vector<Diagnostic>& diagnostics) {
    const std::optional<std::string> node = decode_kernel_name(kernel.fact.kernel_name).node;
    if (!node || kernel.fact.name_cut) {
        return;
    }
    const std::string kernel_in_files = name_in_files(kernel.fact.kernel_name);
    const auto may_be_its = [&](const OperatorAnswer& answer) {
        if (!answer.name || names.is_cut(*answer.name)) {
            return true;
        }
        const std::string node_in_files = name_in_files(*answer.name);
        return kernel_is_of_node(kernel_in_files, node_in_files) ||
               kernel_is_of_node(without_compiler_suffix(kernel_in_files), node_in_files);
    };
    if (std::any_of(answers.begin(), answers.end(), may_be_its)) {
        return;
    }
    diagnostics.push_back({Severity::warning, "sources_disagree",
                           fmt::format("{}:{} names kernel {} for the same ids, which is that of operator {}; the "
                                       "operator is not taken, for the lines that name {} count more",
                                       map.files[kernel.place.file], kernel.place.line, kernel.fact.kernel_name, *node,
                                       *answers.front().name)});
}

OperatorAnswer answer_from_kernel(const StoredFact& kernel, const logs::Process& process, const TaskMap::Contents& map,
                                  std::vector<Diagnostic>& diagnostics) {
    OperatorAnswer answer;
    const KernelName decoded = decode_kernel_name(kernel.fact.kernel_name);
    answer.name = decoded.node;
    for (const std::string_view node : possible_nodes(kernel.fact.kernel_name)) {
        if (!logs::begins_with_number(node)) {
            continue;  // the most likely name, taken already: lines that name it on other tasks may not have been read
        }
        const logs::Places lines = map.index().facts_naming_operator(process, node);
        const auto names_it = [&process, node](std::uint32_t place) {
            return process.facts[place].fact.operator_name == node;
        };
        if (std::any_of(lines.begin(), lines.end(), names_it)) {
            answer.name = std::string(node);
        }
    }
    answer.type = decoded.operator_type;
    answer.kernel = kernel.fact.kernel_name;
    answer.confidence = Confidence::kernel;
    add_kernel_evidence(answer, kernel, map);
    if (const auto function = demangled(kernel.fact.kernel_name)) {
        diagnostics.push_back({Severity::info, "kernel_demangled",
                               fmt::format("the kernel {} is the C++ function {}", *answer.kernel, *function)});
    }
    return answer;
}

}  // namespace opdebug::locate_stage
