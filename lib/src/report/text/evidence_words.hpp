// The lines and files that prove an answer, for people.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>

namespace opdebug::report {

/// Where the answer is proved, and what is stated there: "SaveDumpTask  stream 21 task 118 → …/softmax/Exp". With
/// options.verbose whole paths and lines.
struct EvidenceRow {
    std::string place, statement;
};

/// The ids of the task that the evidence is about.
struct TaskNumbers {
    std::optional<std::uint64_t> stream_id, task_id;
};

EvidenceRow evidence_row(const Evidence& item, const TaskNumbers& task, const Location& location,
                         const ReportOptions& options);

/// Of the best operator, then of the model. The dump itself is a row only with options.verbose.
std::vector<EvidenceRow> evidence_rows(const Dump& dump, const Location& location, const ReportOptions& options);

/// The rows in columns, without options.verbose only the first five of them.
std::string evidence_lines(const std::vector<EvidenceRow>& rows, const ReportOptions& options);

}  // namespace opdebug::report
