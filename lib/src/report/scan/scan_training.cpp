#include "report/scan/scan_training.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "remarks/diagnose.hpp"

namespace opdebug::report {
namespace {

using nlohmann::ordered_json;

std::string compact(const ordered_json& document) {
    return document.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::optional<training::OverflowTime> time_of(const ScanItem& item) {
    return item.timestamp_us ? std::optional(training::OverflowTime{*item.timestamp_us, item.path_ids.rank})
                             : std::nullopt;
}

}  // namespace

void align_training(const ScanEntries& entries, const ReportOptions& options, ScanTraining& training) {
    std::vector<training::OverflowTime> overflows;
    for (const ScanEntry& entry : entries) {
        if (const auto time = time_of(entry.item); time && entry.item.state == DumpState::overflowed) {
            overflows.push_back(*time);
        }
    }
    const int of_machine = options.utc_offset_minutes && !overflows.empty()
                               ? options.utc_offset_minutes(overflows.front().timestamp_us)
                               : 0;
    training.alignment = training.times.align(overflows, training.utc_offset_minutes, of_machine);
    training.counts = {};
    bool is_first = true;
    for (const ScanEntry& entry : entries) {
        if (entry.item.state != DumpState::overflowed) {
            continue;
        }
        const auto step = training_step_of(entry.item, training);
        if (std::exchange(is_first, false)) {
            training.first = step;
        }
        const std::optional<bool> skipped = step ? step->skipped : std::nullopt;
        ++(!skipped ? training.counts.unknown : *skipped ? training.counts.skipped : training.counts.applied);
    }
}

std::optional<training::TrainingStep> training_step_of(const ScanItem& item, const ScanTraining& training) {
    const auto time = time_of(item);
    return time ? std::optional(training.times.step_of(*time, training.alignment)) : std::nullopt;
}

std::string with_training_step(std::string_view document, const ScanItem& item,
                               const std::optional<ScanTraining>& training) {
    const auto step = training && !document.empty() ? training_step_of(item, *training) : std::nullopt;
    if (!step) {
        return std::string(document);
    }
    document.remove_suffix(1);  // the closing bracket
    return fmt::format("{},\"training_step\":{}}}", document,
                       compact({{"step", known_or_null(step->step)},
                                {"steps", step->steps},
                                {"alignment", std::string(to_string(step->alignment))},
                                {"skipped", known_or_null(step->skipped)},
                                {"because", step->because.en},
                                {"because_zh", step->because.zh}}));
}

std::vector<std::string> training_lines(const ScanTraining& training, Language language) {
    std::vector<std::string> lines;
    if (const auto& first = training.first; first && first->step) {
        const std::string_view id = !first->skipped   ? "training_first_unknown"
                                    : *first->skipped ? "training_first_skipped"
                                                      : "training_first_applied";
        const std::uint64_t from = *first->step - first->steps + 1;
        const std::string steps =
            first->steps == 1 ? fmt::to_string(*first->step) : fmt::format("{}-{}", from, *first->step);
        lines.push_back(remarks::phrase(id, {{"steps", steps}}).in(language));
    }
    const StepCounts& counts = training.counts;
    lines.push_back(
        remarks::phrase("training_overflows",
                        {{"skipped", counts.skipped}, {"applied", counts.applied}, {"unknown", counts.unknown}})
            .in(language));
    lines.push_back(training.alignment.because.in(language));
    return lines;
}

void write_training(const ScanTraining& training, ObjectWriter& object) {
    const training::StepAlignment& alignment = training.alignment;
    const bool is_known = alignment.alignment != training::Alignment::unknown;
    ordered_json document = training_document(training.report, false);
    document["alignment"] = {
        {"alignment", std::string(to_string(alignment.alignment))},
        {"utc_offset_minutes", is_known ? ordered_json(alignment.utc_offset_minutes) : ordered_json()},
        {"overflows_inside", alignment.inside},
        {"overflows", alignment.overflows},
        {"because", alignment.because.en},
        {"because_zh", alignment.because.zh}};
    document["overflows"] = {{"skipped", training.counts.skipped},
                             {"applied", training.counts.applied},
                             {"unknown", training.counts.unknown}};
    object.member("training", Json{compact(document)});
}

}  // namespace opdebug::report
