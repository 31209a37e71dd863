// The report on training logs, and its document "opdebug.train_report/1".
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "training/training.hpp"

namespace opdebug::report {

template <class T>
nlohmann::ordered_json known_or_null(const std::optional<T>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

struct TrainingReport {
    training::TrainingLogs logs;
    std::optional<training::TrainingLogs> bench;
    std::optional<training::BenchComparison> comparison;  ///< of the runs that decide
};

/// The comparison is made if there is a benchmark.
TrainingReport training_report(training::TrainingLogs logs, std::optional<training::TrainingLogs> bench);

/// `all`: with each step.
std::string training_to_json(const TrainingReport& report, bool all);
nlohmann::ordered_json training_document(const TrainingReport& report, bool all);

}  // namespace opdebug::report
