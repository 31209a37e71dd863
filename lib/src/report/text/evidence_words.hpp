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

/// The file and line of a piece of evidence, and what is stated there: "SaveDumpTask  stream 21 task 118 →
/// …/softmax/Exp". With options.verbose `file` contains the line, and the statement is the whole text.
struct EvidenceRow {
    std::string file, line, statement;
};

/// The ids of the task that the evidence is about.
struct TaskNumbers {
    std::optional<std::uint64_t> stream_id, task_id;
};

/// Each log line once.
std::vector<EvidenceRow> evidence_rows(const std::vector<Evidence>& evidence, const TaskNumbers& task,
                                       const Location& location, const ReportOptions& options);

/// Of the best operator, then of the model. The dump itself is a row only with options.verbose.
std::vector<EvidenceRow> evidence_rows(const Dump& dump, const Location& location, const ReportOptions& options);

/// Without options.verbose only the first five rows, below the path of their file.
std::string evidence_lines(const std::vector<EvidenceRow>& rows, const ReportOptions& options);

}  // namespace opdebug::report
