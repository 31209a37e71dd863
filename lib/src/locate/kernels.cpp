// Kernels: what a launch line or the line of a failure names, and the launch at an address of the record.
#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "locate/answers.hpp"
#include "locate/candidates.hpp"
#include "locate/kernel_name.hpp"
#include "locate/operator_lines.hpp"
#include "logs/facts/launch_lines.hpp"
#include "logs/lookup/devices.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::locate_stage {
namespace {

using logs::FactKind;
using logs::Process;
using logs::StoredFact;

/// The devices that a launch line may name; nothing: any. A line that names none may be of each of them.
using DevicesOfLaunch = std::optional<std::vector<std::uint64_t>>;

/// The last launch line, not after the time and in the same run of the process, of a kernel with an address of the
/// record: each run reuses addresses. Without a time, only when all such lines name one kernel. Null: none.
const StoredFact* launch_by_address(const Process& process, const Lookup& lookup, std::optional<std::int64_t> time_us,
                                    const DevicesOfLaunch& devices) {
    logs::Span span;
    if (time_us) {
        const auto next_run = std::upper_bound(process.run_begins.begin(), process.run_begins.end(), *time_us);
        span.begin = next_run == process.run_begins.begin() ? span.begin : *(next_run - 1);
        span.end = *time_us + kClockSkewUs + 1;
    }
    std::optional<std::uint32_t> last;   // an index: the memory order of facts is not their order
    std::set<std::string_view> kernels;  // filled without a time only
    for (const std::uint64_t address : lookup.query.addresses) {
        const logs::Places launches = lookup.index().facts(process, logs::About::kernel_at_address, address);
        const logs::Places inside = logs::places_inside(process, launches, span);
        for (auto place = inside.rbegin(); place != inside.rend(); ++place) {
            const logs::Fact& fact = process.facts[*place].fact;
            const bool is_its = !devices || !fact.device_id ||
                                std::find(devices->begin(), devices->end(), *fact.device_id) != devices->end();
            if (!is_its) {
                continue;
            }
            last = std::max(last, std::optional(*place));
            if (time_us) {
                break;
            }
            kernels.insert(fact.kernel_name);
            if (kernels.size() > 1) {
                return nullptr;
            }
        }
    }
    return last ? &process.facts[*last] : nullptr;
}

}  // namespace

void find_by_address(const Lookup& lookup, RecordResult& result) {
    std::set<std::uint32_t> processes;
    for (const std::uint64_t address : lookup.query.addresses) {
        const logs::Places having = lookup.index().processes(logs::About::kernel_at_address, address);
        processes.insert(having.begin(), having.end());
    }
    DistinctAnswers answers(result.operators);
    std::set<std::string_view> answered;  // kernels
    for (const std::uint32_t number : processes) {
        const Process& process = lookup.map.processes[number];
        const std::vector<LocalTime> times = times_in(process, lookup);
        if (!times.empty() && times.front().unrelated) {
            continue;
        }
        const auto time_us = times.empty() ? std::nullopt : std::optional(times.front().time_us);
        const logs::DeviceFilter of_dump = lookup.dump.path_ids.device_id;
        const DevicesOfLaunch devices =
            of_dump ? DevicesOfLaunch(logs::devices_seen_as(process, *of_dump, time_us)) : std::nullopt;
        const StoredFact* launch = launch_by_address(process, lookup, time_us, devices);
        if (launch == nullptr || answered.contains(launch->fact.kernel_name)) {
            continue;
        }
        if (result.operators.empty()) {
            lookup.remark(result.diagnostics, "found_by_address", {{"line", lookup.at(*launch)}});
        }
        answered.insert(launch->fact.kernel_name);
        answers.add(answer_from_kernel(*launch, lookup, result.diagnostics));
    }
}

void check_address(const Candidate& candidate, const Lookup& lookup, RecordResult& result) {
    OperatorAnswer& best = result.operators.front();
    const auto devices = candidate.device ? DevicesOfLaunch(std::vector{*candidate.device}) : std::nullopt;
    const StoredFact* launch = launch_by_address(*candidate.process, lookup, candidate.time_us, devices);
    if (launch == nullptr || !best.kernel) {
        return;
    }
    if (launch->fact.kernel_name != *best.kernel) {
        lookup.remark(
            result.diagnostics, "address_disagrees",
            {{"by_ids", *best.kernel}, {"by_address", launch->fact.kernel_name}, {"line", lookup.at(*launch)}});
        return;
    }
    const Evidence line = lookup.evidence(*launch);
    if (std::none_of(best.evidence.begin(), best.evidence.end(),
                     [&line](const Evidence& known) { return known.file == line.file && known.line == line.line; })) {
        best.evidence.push_back(line);
    }
}

namespace {

/// The launch line and, where its task id was not final yet, the submit line that gave it.
void add_kernel_evidence(OperatorAnswer& answer, const StoredFact& kernel, const Lookup& lookup) {
    answer.evidence.push_back(lookup.evidence(kernel));
    if (kernel.submit) {
        answer.evidence.push_back(lookup.evidence(kernel, *kernel.submit));
    }
}

}  // namespace

const StoredFact* kernel_fact(const Candidate& candidate) {
    const StoredFact* launch = nullptr;
    const StoredFact* fault = nullptr;
    for (const StoredFact* fact : candidate.use.facts) {
        const bool is_late = candidate.time_us && fact->time_us > *candidate.time_us + kClockSkewUs;
        if (fact->fact.kind == FactKind::kernel_of_task && (launch == nullptr || !is_late)) {
            launch = fact;
        }
        if (fact->fact.kind == FactKind::fault_kernel && fault == nullptr) {
            fault = fact;
        }
    }
    return launch != nullptr ? launch : fault;
}

std::vector<const StoredFact*> possible_kernels(const Candidate& candidate, const StoredFact& kernel) {
    constexpr std::int64_t kUnknownPid = -1;
    std::vector<const StoredFact*> kernels{&kernel};
    for (const StoredFact* fact : candidate.use.facts) {
        const bool is_new = std::none_of(kernels.begin(), kernels.end(), [fact](const StoredFact* known) {
            return known->fact.kernel_name == fact->fact.kernel_name;
        });
        if (candidate.process->pid == kUnknownPid && fact->fact.kind == FactKind::fault_kernel && is_new) {
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

void add_kernel(std::vector<OperatorAnswer>& answers, const StoredFact& kernel, const Lookup& lookup) {
    const auto is_its = [&kernel](const OperatorAnswer& answer) {
        return answer.name && is_kernel_of(kernel, *answer.name);
    };
    if (answers.size() > 1) {  // else it requests memory all the same
        std::stable_partition(answers.begin(), answers.end(), is_its);
    }
    for (OperatorAnswer& answer : answers) {
        if (answers.size() == 1 || is_its(answer)) {
            answer.kernel = kernel.fact.kernel_name;
            answer.type = answer.type ? answer.type : decode_kernel_name(kernel.fact.kernel_name).operator_type;
            add_kernel_evidence(answer, kernel, lookup);
        }
    }
    if (answers.size() > 1 && is_its(answers[0]) && !is_its(answers[1])) {
        answers.resize(1);  // the kernel's name decides between the lines
    }
}

void remark_kernel_of_other(const std::vector<OperatorAnswer>& answers, const StoredFact& kernel,
                            const FullNames& names, const Lookup& lookup, Diagnostics& diagnostics) {
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
    lookup.remark(diagnostics, "sources_disagree.kernel",
                  {{"line", lookup.at(kernel.place)},
                   {"kernel", kernel.fact.kernel_name},
                   {"operator", *node},
                   {"best", *answers.front().name}});
}

OperatorAnswer answer_from_kernel(const StoredFact& kernel, const Lookup& lookup, Diagnostics& diagnostics) {
    OperatorAnswer answer;
    const KernelName decoded = decode_kernel_name(kernel.fact.kernel_name);
    answer.name = decoded.node;
    answer.type = decoded.operator_type;
    answer.kernel = kernel.fact.kernel_name;
    answer.confidence = Confidence::kernel;
    add_kernel_evidence(answer, kernel, lookup);
    if (const auto function = demangled(kernel.fact.kernel_name)) {
        lookup.remark(diagnostics, "kernel_demangled", {{"kernel", *answer.kernel}, {"function", *function}});
    }
    return answer;
}

}  // namespace opdebug::locate_stage
