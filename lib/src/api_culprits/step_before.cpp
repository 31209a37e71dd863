#include "api_culprits/step_before.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <unordered_map>

#include <fmt/format.h>

namespace opdebug::api_culprits {
namespace {

/// Findings on gradients by their values.
using Gradients = std::unordered_map<std::uint64_t, const Found*>;

Gradients gradients_of(const TimeLine& line) {
    Gradients gradients;
    for (const FileFacts* const facts : line.files) {
        for (const Found& found : facts->found) {
            if (found.phase == ApiPhase::parameters_grad) {
                for (const std::uint64_t print : found.bad) {
                    gradients.emplace(print, &found);
                }
            }
        }
    }
    return gradients;
}

void trace(Found& found, std::uint64_t step_before, const Gradients& gradients) {
    for (const auto* const prints : {&found.bad_weights, &found.untraced}) {
        for (const std::uint64_t print : *prints) {
            const auto gradient = gradients.find(print);
            if (gradient == gradients.end()) {
                continue;
            }
            std::vector<Diagnostic>& remarks = found.finding.remarks;
            const auto is_source = [](const Diagnostic& told) { return told.code == "source_not_dumped"; };
            remarks.erase(std::remove_if(remarks.begin(), remarks.end(), is_source), remarks.end());
            remarks.push_back({Severity::info, "gradient_of_step_before",
                               fmt::format("{} of step {} has the same shape and statistics: the optimizer wrote it "
                                           "into the parameter",
                                           gradient->second->finding.api, step_before)});
            return;
        }
    }
}

}  // namespace

void trace_to_step_before(Run& run) {
    for (auto step = run.steps.begin(); step != run.steps.end(); ++step) {
        const auto before = std::find_if(std::make_reverse_iterator(step), run.steps.rend(),
                                         [&step](const Step& other) { return other.half == step->half; });
        if (before == run.steps.rend() || !before->number || !step->number || *before->number + 1 != *step->number) {
            continue;
        }
        for (const TimeLine& line : step->lines) {
            const auto same_rank = std::find_if(
                before->lines.begin(), before->lines.end(),
                [&line](const TimeLine& other) { return other.rank == line.rank && other.process == line.process; });
            const Gradients gradients = same_rank == before->lines.end() ? Gradients() : gradients_of(*same_rank);
            for (FileFacts* const facts : gradients.empty() ? std::vector<FileFacts*>() : line.files) {
                for (Found& found : facts->found) {
                    trace(found, *before->number, gradients);
                }
            }
        }
    }
}

}  // namespace opdebug::api_culprits
