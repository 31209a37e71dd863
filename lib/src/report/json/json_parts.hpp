// Documents, and pieces that they share. write_members() writes the members of an object, for JsonWriter::value().
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/log_lines.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>
#include <opdebug/result.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tensor.hpp>

#include "api_pairs/bench.hpp"
#include "report/json/json_writer.hpp"
#include "report/text/code_texts.hpp"
#include "report/text/numbers_and_times.hpp"
#include "training/training.hpp"

namespace opdebug::report {

/// The record's fields in the order of its layout, as members: ids as numbers, addresses as hex text.
void write_fields(const Record& record, JsonWriter& json);
/// Status words unchanged: one number or hex text, or a list of four.
void write_words(std::string_view name, const std::vector<std::uint64_t>& words, JsonWriter& json);
void write_hex_words(std::string_view name, const std::vector<std::uint64_t>& words, JsonWriter& json);
/// The members "causes" and "undocumented_bits".
void write_causes(const StatusExplanation& status, Language language, JsonWriter& json);

void write_members(const Diagnostic& diagnostic, JsonWriter& json);
/// A failure. The message contains the location in the file, too.
void write_members(const Error& error, JsonWriter& json);

/// The object that is an item of status_to_json()'s array.
std::string explanation_to_json(const StatusExplanation& status, const ReportOptions& options);

/// The document "opdebug.explanations/1".
std::string codes_to_json(const std::vector<CodeText>& codes);

/// "opdebug.files/1". `failures`: given paths and folders that could not be read; `diagnostics`: remarks on names and
/// links.
std::string files_to_json(const std::vector<std::string>& files, const std::vector<Error>& failures,
                          const std::vector<Diagnostic>& diagnostics, const ReportOptions& options);

void write_members(const Evidence& evidence, JsonWriter& json);
void write_members(const LocatedOperator& located, JsonWriter& json);
void write_members(const LocatedModel& model, JsonWriter& json);

/// What the tensor is and what its values show. Keys always present; without statistics their values are null.
void write_members(const DumpedTensor& tensor, JsonWriter& json);

void write_members(const Origin& origin, JsonWriter& json);

/// An item of "groups".
void write_members(const ScanGroup& group, JsonWriter& json);

/// An item of "chains".
void write_members(const OverflowChain& chain, JsonWriter& json);

void write_members(const ApiCounts& counts, JsonWriter& json);
/// An item of "findings".
void write_members(const ApiFinding& finding, JsonWriter& json);

/// The member "bench" of the report on API dumps.
void write_members(const api_pairs::BenchComparison& bench, JsonWriter& json);

/// api_report_to_json() with the comparison; null: without a benchmark.
std::string api_report_to_json(const ApiReport& report, const api_pairs::BenchComparison* bench,
                               const ReportOptions& options);

/// The report on training logs.
struct TrainingReport {
    training::TrainingLogs logs;
    std::optional<training::TrainingLogs> bench;
    std::optional<training::BenchComparison> comparison;  ///< of the runs that decide
};

/// The comparison is made if there is a benchmark.
TrainingReport training_report(training::TrainingLogs logs, std::optional<training::TrainingLogs> bench);

/// `all`: with each step.
std::string training_to_json(const TrainingReport& report, bool all);
/// Its members without the steps.
void write_members(const TrainingReport& report, JsonWriter& json);

/// As record_to_json().
void write_record_document(const Dump& dump, const Location& location, const TensorEvidence& evidence,
                           const ReportOptions& options, JsonWriter& json);

/// As failure_to_json().
void write_failure_document(const Error& error, const ReportOptions& options, JsonWriter& json);

/// Why a dump failed, with its file; one that failed without an error of its own lacks records.
Error failure_of(const ScannedDump& scanned);

void write_document(const ScannedDump& scanned, const ReportOptions& options, JsonWriter& json);

/// Each fact of the map as one line of JSON with its line break (fact.schema.json), until `take` returns false. The
/// order is process by process, then by time.
void write_facts(const TaskMap& map, const std::function<bool(const std::string& line)>& take);

/// The document of format-trial.schema.json.
std::string format_trial_to_json(const NamedText& file, const std::string& log, const LogFormatTrial& trial,
                                 const ReportOptions& options);

/// A paragraph for each line, then the counts.
std::string format_trial_to_text(const std::string& log, const LogFormatTrial& trial);

}  // namespace opdebug::report
