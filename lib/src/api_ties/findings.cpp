#include "api_ties/findings.hpp"

#include <fmt/format.h>

#include <opdebug/tree.hpp>

#include "api_culprits/known_apis.hpp"
#include "api_dump/call_name.hpp"
#include "remarks/diagnose.hpp"

namespace opdebug::api_ties {
namespace {

/// CANN writes statistics to {time}/{device}, without a rank.
std::pair<bool, std::optional<std::uint64_t>> rank_or_device(const ApiFinding& finding) {
    if (finding.rank || finding.source != ApiSource::statistic_csv) {
        return {false, finding.rank};
    }
    const std::optional<std::uint64_t> device = parse_path_ids(finding.file).device_id;
    return {device.has_value(), device};
}

}  // namespace

CallName call_name_of(const ApiFinding& finding) {
    CallName name;
    if (finding.source == ApiSource::statistic_csv) {
        name.is_kernel = true;
        name.function = finding.operator_type;
        return name;
    }
    ApiEntry entry;
    entry.name = finding.api;
    if (finding.source == ApiSource::ptdbg) {
        api_dump::read_ptdbg_name(entry);
    } else {
        api_dump::read_call_name(entry);
    }
    name.function = api_culprits::function_of(entry.api);
    name.is_backward = entry.phase == ApiPhase::backward || entry.phase == ApiPhase::parameters_grad;
    name.is_module = entry.is_module;
    name.count = entry.count;
    return name;
}

std::vector<RankStep> rank_steps_of(const ApiFinding& finding) {
    const auto [is_device, number] = rank_or_device(finding);
    return {{is_device, number, false, finding.step}, {is_device, number, true, std::nullopt}};
}

RankMatcher::RankMatcher(const ApiReport& report, const std::vector<KernelOverflow>& overflows) {
    std::set<std::tuple<RankOrDevice, std::optional<std::uint64_t>>> of_findings;
    std::set<std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>> of_overflows;
    for (const ApiFinding& finding : report.findings) {
        of_findings.insert({rank_or_device(finding), finding.rank ? std::nullopt : finding.process});
    }
    for (const KernelOverflow& overflow : overflows) {
        of_overflows.insert({overflow.rank, overflow.rank ? std::nullopt : overflow.device_id});
    }
    if (of_findings.size() == 1) {
        only_finding_ = std::get<0>(*of_findings.begin());
    }
    is_one_overflow_rank_ = of_overflows.size() == 1;
    const bool any_unnumbered = std::any_of(of_findings.begin(), of_findings.end(),
                                            [](const auto& writer) { return !std::get<0>(writer).second; });
    has_unknown_ranks_ = any_unnumbered && !(only_finding_ && is_one_overflow_rank_);
}

std::vector<RankStep> RankMatcher::rank_steps_of(const KernelOverflow& overflow) const {
    std::vector<RankOrDevice> numbered;
    if (overflow.rank || overflow.device_id) {
        numbered.emplace_back(false, overflow.rank ? overflow.rank : overflow.device_id);
        numbered.emplace_back(true, overflow.device_id ? overflow.device_id : overflow.rank);
        if (is_one_overflow_rank_ && only_finding_ && !only_finding_->second) {
            numbered.push_back(*only_finding_);
        }
    } else if (only_finding_) {
        numbered.push_back(*only_finding_);
    }
    std::vector<RankStep> rank_steps;
    for (const auto& [is_device, number] : numbered) {
        if (overflow.step) {
            rank_steps.push_back({is_device, number, false, overflow.step});
            rank_steps.push_back({is_device, number, false, std::nullopt});
        } else {
            rank_steps.push_back({is_device, number, true, std::nullopt});
        }
    }
    return rank_steps;
}

LocalizedText RankMatcher::assume(const KernelOverflow& overflow, const ApiFinding& finding) {
    LocalizedText words;
    const auto [is_device, number] = rank_or_device(finding);
    const auto& same_kind = is_device ? overflow.device_id : overflow.rank;
    const auto& other_kind = is_device ? overflow.rank : overflow.device_id;
    if (!number || (!same_kind && !other_kind)) {
        words = remarks::phrase("tie.one_place");
        assumes_process_ = true;
    } else if (!same_kind) {
        words = assume_rank(*other_kind, *number);
    }
    assumes_steps_ = assumes_steps_ || (overflow.step && finding.step);
    return words;
}

LocalizedText RankMatcher::assume_rank(std::uint64_t device, std::uint64_t rank) {
    ranks_of_devices_.emplace(rank, device);
    return remarks::phrase("tie.assumed_rank", {{"device", device}, {"rank", rank}});
}

std::vector<Diagnostic> RankMatcher::diagnostics() const {
    std::vector<Diagnostic> diagnostics;
    for (const auto& [rank, device] : ranks_of_devices_) {
        diagnostics.push_back(remarks::diagnose("device_rank_assumed", {{"device", device}, {"rank", rank}}));
    }
    const auto add = [&diagnostics](bool assumed, std::string_view id) {
        if (assumed) {
            diagnostics.push_back(remarks::diagnose(id));
        }
    };
    add(assumes_steps_, "steps_assumed");
    add(assumes_profiler_steps_, "steps_assumed.profiler");
    add(assumes_process_, "place_assumed");
    add(has_unknown_ranks_, "rank_unknown");
    return diagnostics;
}

Chance chance_of(ApiVerdict verdict) noexcept {
    switch (verdict) {
        case ApiVerdict::born_here:
        case ApiVerdict::saturated:
        case ApiVerdict::in_collective:
        case ApiVerdict::process: return Chance::likely;
        case ApiVerdict::inherited:
        case ApiVerdict::absorbed:
        case ApiVerdict::unknown: return Chance::possible;
        case ApiVerdict::clean:
        case ApiVerdict::weight:
        case ApiVerdict::deliberate: return Chance::never;
    }
    return Chance::never;
}

}  // namespace opdebug::api_ties
