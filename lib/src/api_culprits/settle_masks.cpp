#include "api_culprits/settle_masks.hpp"

#include <algorithm>
#include <vector>

namespace opdebug::api_culprits {
namespace {

/// What was taken for bad is a mask. A result with NaN or +Inf is the call's own then.
void unblame_inputs(Found& found) {
    const bool made = found.strong;
    found.finding.verdict = made ? ApiVerdict::born_here : ApiVerdict::deliberate;
    found.finding.because +=
        made ? "; the inputs clean but for a mask from another rank" : "; a mask from another rank";
    found.strong = made;
    found.awaits = Awaits::nothing;
}

/// What was taken for a mask by its looks is bad.
void blame_masks(Found& found) {
    found.finding.verdict = ApiVerdict::inherited;
    found.finding.because += "; what looks like a mask is a bad value of a call between ranks";
}

bool was_brought(const Found& feeder) {
    return feeder.finding.verdict == ApiVerdict::in_collective ||
           (feeder.finding.verdict == ApiVerdict::inherited && feeder.came_from_rank);
}

/// Feeders stand in front of what they feed, so that one way through the file is enough.
void settle_file(FileFacts& file) {
    std::vector<Found>& all = file.found;
    std::vector<bool> blamed(all.size()), communicates(all.size());
    for (const Transfer& transfer : file.transfers) {
        if (transfer.found) {
            communicates[*transfer.found] = true;
        }
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        Found& found = all[i];
        const ApiVerdict verdict = found.finding.verdict;
        // NaN behind a call between ranks may be another rank's.
        const bool blames = (verdict == ApiVerdict::inherited || verdict == ApiVerdict::absorbed) &&
                            !found.came_from_rank && !(communicates[i] && found.strong);
        if (blames && !found.fed_by.empty() &&
            std::all_of(found.fed_by.begin(), found.fed_by.end(),
                        [&all](std::size_t by) { return all[by].finding.verdict == ApiVerdict::deliberate; })) {
            unblame_inputs(found);
            continue;
        }
        const bool excuses =
            verdict == ApiVerdict::born_here || verdict == ApiVerdict::saturated || verdict == ApiVerdict::deliberate;
        if (excuses && std::any_of(found.masks_from.begin(), found.masks_from.end(),
                                   [&](std::size_t by) { return blamed[by] || was_brought(all[by]); })) {
            blame_masks(found);
            blamed[i] = true;
        }
    }
}

}  // namespace

void settle_masks(const Step& step) {
    for (const TimeLine& line : step.lines) {
        for (FileFacts* const file : line.files) {
            settle_file(*file);
        }
    }
}

}  // namespace opdebug::api_culprits
