#include "api_ties/places.hpp"

#include <algorithm>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include <opdebug/tree.hpp>

namespace opdebug::api_ties {
namespace {

using Numbered = std::pair<bool, std::optional<std::uint64_t>>;

/// CANN writes statistics below {time}/{device}, without a rank.
Numbered rank_or_device(const ApiFinding& finding) {
    if (finding.rank || finding.source != ApiSource::statistic_csv) {
        return {false, finding.rank};
    }
    const std::optional<std::uint64_t> device = parse_path_ids(finding.file).device_id;
    return {device.has_value(), device};
}

}  // namespace

std::vector<Place> places_of(const ApiFinding& finding) {
    const Numbered of = rank_or_device(finding);
    return {{of.first, of.second, false, finding.step}, {of.first, of.second, true, std::nullopt}};
}

Places::Places(const ApiReport& report, const std::vector<KernelOverflow>& overflows) {
    std::set<std::tuple<Numbered, std::optional<std::uint64_t>>> of_findings;
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
    one_overflow_place_ = of_overflows.size() == 1;
    const bool unnumbered = std::any_of(of_findings.begin(), of_findings.end(),
                                        [](const auto& place) { return !std::get<0>(place).second; });
    untied_ = unnumbered && !(only_finding_ && one_overflow_place_);
}

std::vector<Place> Places::places_of(const KernelOverflow& overflow) const {
    std::vector<Numbered> numbered;
    if (overflow.rank || overflow.device_id) {
        numbered.emplace_back(false, overflow.rank ? overflow.rank : overflow.device_id);
        numbered.emplace_back(true, overflow.device_id ? overflow.device_id : overflow.rank);
        if (one_overflow_place_ && only_finding_ && !only_finding_->second) {
            numbered.push_back(*only_finding_);
        }
    } else if (only_finding_) {
        numbered.push_back(*only_finding_);
    }
    std::vector<Place> places;
    for (const Numbered& of : numbered) {
        if (overflow.step) {
            places.push_back({of.first, of.second, false, overflow.step});
            places.push_back({of.first, of.second, false, std::nullopt});
        } else {
            places.push_back({of.first, of.second, true, std::nullopt});
        }
    }
    return places;
}

std::string Places::assumed(const KernelOverflow& overflow, const ApiFinding& finding) {
    std::string words;
    const Numbered of = rank_or_device(finding);
    const auto& same_kind = of.first ? overflow.device_id : overflow.rank;
    const auto& other_kind = of.first ? overflow.rank : overflow.device_id;
    if (!of.second || (!same_kind && !other_kind)) {
        words += "; one of the two names neither rank nor device, and there is only one";
        place_assumed_ = true;
    } else if (!same_kind) {
        words += assumed_rank(*other_kind, *of.second);
    }
    if (overflow.step && finding.step) {
        step_assumed_ = true;
    }
    return words;
}

std::string Places::assumed_rank(std::uint64_t device, std::uint64_t rank) {
    ranks_of_devices_[{rank, device}] = true;
    return fmt::format("; device {} is assumed to be rank {}", device, rank);
}

std::vector<Diagnostic> Places::diagnostics() const {
    std::vector<Diagnostic> told;
    for (const auto& [pair, used] : ranks_of_devices_) {
        told.push_back({Severity::info, "device_rank_assumed",
                        fmt::format("device {} is assumed to be rank {} (device = local rank): "
                                    "ASCEND_RT_VISIBLE_DEVICES or several hosts may change it",
                                    pair.second, pair.first)});
    }
    if (step_assumed_) {
        told.push_back({Severity::info, "steps_assumed",
                        "the step of overflow dumps and that of API dumps are assumed to be counted alike"});
    }
    if (profiler_step_assumed_) {
        told.push_back(
            {Severity::info, "steps_assumed",
             "ProfilerStep#N of a trace is assumed to be step N of the dumps; a profiler that began to count "
             "later, or counts another loop, differs"});
    }
    if (place_assumed_) {
        told.push_back({Severity::info, "place_assumed",
                        "API dumps or overflow dumps name neither rank nor device; they are assumed to be of the same "
                        "process, for there is only one"});
    }
    if (untied_) {
        told.push_back({Severity::info, "rank_unknown",
                        "API dumps name no rank, and there are several devices or processes: which belongs to which "
                        "overflow dump is not known"});
    }
    return told;
}

}  // namespace opdebug::api_ties
