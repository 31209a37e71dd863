#include "report/scan/scan_contents.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "remarks/diagnose.hpp"

namespace opdebug::report {
namespace {

std::optional<training::OverflowTime> time_of(const ScanItem& item) {
    return item.timestamp_us ? std::optional(training::OverflowTime{*item.timestamp_us, item.path_ids.rank})
                             : std::nullopt;
}

/// The time zone of the run, if the overflows show exactly one.
std::optional<int> zone_of_run(const ScanEntries& entries) {
    std::optional<int> zone;
    for (const ScanEntry& entry : entries) {
        const std::optional<int>& shown = entry.item.utc_offset_minutes;
        if (shown && zone && zone != shown) {
            return std::nullopt;
        }
        zone = shown ? shown : zone;
    }
    return zone;
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
    const std::optional<int> zone = training.utc_offset_minutes ? training.utc_offset_minutes : zone_of_run(entries);
    training.alignment = training.times.align(overflows, zone, of_machine);
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
    JsonWriter json;
    json.value([&] {
        json.member("step", step->step);
        json.member("steps", step->steps);
        json.member("alignment", step->alignment);
        json.member("skipped", step->skipped);
        json.both("because", step->because);
    });
    return fmt::format("{},\"training_step\":{}}}", document, json.text());
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

void write_members(const ScanTraining& training, JsonWriter& json) {
    const training::StepAlignment& alignment = training.alignment;
    const bool is_known = alignment.alignment != training::Alignment::unknown;
    write_members(training.report, json);
    json.member("alignment", [&] {
        json.member("alignment", alignment.alignment);
        json.member("utc_offset_minutes", is_known ? std::optional(alignment.utc_offset_minutes) : std::nullopt);
        json.member("overflows_inside", alignment.inside);
        json.member("overflows", alignment.overflows);
        json.both("because", alignment.because);
    });
    json.member("overflows", [&] {
        json.member("skipped", training.counts.skipped);
        json.member("applied", training.counts.applied);
        json.member("unknown", training.counts.unknown);
    });
}

}  // namespace opdebug::report
