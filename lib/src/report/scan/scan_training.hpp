// Training logs of a scan: their verdict, and the training step of each overflow.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/scan.hpp>

#include "report/entries/scan_entry.hpp"
#include "report/json/json_parts.hpp"
#include "training/step_times.hpp"

namespace opdebug::report {

/// Overflowed dumps by what became of the update of their step.
struct StepCounts {
    std::uint64_t skipped = 0, applied = 0, unknown = 0;
};

struct ScanTraining {
    explicit ScanTraining(training::StepTimes of_logs) : times(std::move(of_logs)) {}

    training::StepTimes times;
    TrainingReport report;
    std::optional<int> utc_offset_minutes;  ///< of the logs, given by the user
    training::StepAlignment alignment;
    StepCounts counts;
    std::optional<training::TrainingStep> first;  ///< of the first overflow in report order
};

/// Aligns the times of the logs and the overflows, then finds the steps.
void align_training(const ScanEntries& entries, const ReportOptions& options, ScanTraining& training);

/// The step of a dump; nothing if the dump has no time.
std::optional<training::TrainingStep> training_step_of(const ScanItem& item, const ScanTraining& training);

/// A record document in one line, with the member "training_step" if there are training logs.
std::string with_training_step(std::string_view document, const ScanItem& item,
                               const std::optional<ScanTraining>& training);

/// Sentences for people: the step of the first overflow, how many overflows were in skipped steps, the zone of the log.
std::vector<std::string> training_lines(const ScanTraining& training, Language language);

/// The member "training".
void write_members(const ScanTraining& training, JsonWriter& json);

}  // namespace opdebug::report
