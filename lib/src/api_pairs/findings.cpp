#include "api_pairs/findings.hpp"

#include <algorithm>

#include "api_culprits/value_state.hpp"

namespace opdebug::api_pairs {

bool shows_bad_value(const ApiFinding& finding) {
    return finding.verdict != ApiVerdict::deliberate && finding.verdict != ApiVerdict::process &&
           finding.verdict != ApiVerdict::clean && !finding.api.ends_with(".debug");
}

bool is_certain(const ApiFinding& finding) {
    if (!shows_bad_value(finding)) {
        return false;
    }
    const bool only_shows = finding.verdict == ApiVerdict::inherited || finding.verdict == ApiVerdict::weight ||
                            finding.verdict == ApiVerdict::absorbed;
    const bool rounded = finding.source == ApiSource::statistic_csv;
    return !only_shows ||
           std::any_of(finding.values.begin(), finding.values.end(), [rounded](const ApiFindingValue& shown) {
               return api_culprits::is_bad(shown.state) && !api_culprits::only_negative_is_bad(shown.value, rounded);
           });
}

BadCalls::BadCalls(const ApiReport& report) {
    for (const ApiFinding& finding : report.findings) {
        if (shows_bad_value(finding)) {
            by_file_[finding.file].push_back(&finding);
        }
    }
}

BadCalls::Findings BadCalls::of(const std::vector<std::size_t>& files, const SideDumps& side,
                                const PairedBad& paired) const {
    Findings all;
    for (const std::size_t i : files) {
        const auto place = by_file_.find(side.found.files[i].file);
        if (place == by_file_.end()) {
            continue;
        }
        for (const ApiFinding* const finding : place->second) {
            const auto pair = paired.find({finding->file, finding->position});
            if (pair == paired.end() ? is_certain(*finding) : pair->second) {
                all.push_back(finding);
            }
        }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const ApiFinding* a, const ApiFinding* b) { return a->position < b->position; });
    return all;
}

}  // namespace opdebug::api_pairs
