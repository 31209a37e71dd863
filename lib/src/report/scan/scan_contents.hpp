// Inside of a scan report: dumps in report order, what they show together, training logs, documents of the single
// dumps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "report/json/json_parts.hpp"
#include "report/json/json_writer.hpp"
#include "report/parts/document_store.hpp"
#include "report/parts/part_lines.hpp"
#include "report/scan/scan_api.hpp"
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

/// A cell that holds any text. Control characters and bytes that are not UTF-8 are written as \xNN, so a row is one
/// line. Text that a spreadsheet would read as a formula gets a ' in front. Such text has = + - @, a tab or CR, or the
/// wide forms of these signs, at the begin of the cell or after a semicolon. Spaces and quotation marks may precede the
/// sign. Quoted where it holds a comma, a semicolon or a quote.
std::string csv_cell(std::string_view text);

/// Hands out every dump of a finished report in report order. Errors: read_failed, those of `use`.
std::optional<Error> each_dump(const ScanReport::Contents& contents, const UseDump& use);

/// The first overflow in words of a language; empty if there is none.
using FirstText = std::function<FirstWords(Language)>;

}  // namespace opdebug::report

struct opdebug::ScanReport::Contents {
    explicit Contents(ScanReportOptions given) : options(std::move(given)), documents(options.temporary_folder) {}

    ScanReportOptions options;
    Scan scan;
    report::ScanEntries entries;  ///< all dumps, in report order once finished
    report::EachDump merged;      ///< of a merged report instead of the entries
    ScanOverview overview;
    OverflowChains chains;             ///< with options.report.tensors
    std::optional<ScannedDump> first;  ///< the first overflow, whole: text shows it with its evidence
    ScanItem first_item;
    report::FirstText first_text;        ///< of a merged report instead of `first`
    report::PartFacts facts;             ///< for the lines of a partial report
    std::optional<report::ScanApi> api;  ///< nothing: no part saw an API dump
    std::optional<report::ScanTraining> training;
    report::DocumentStore documents;
    std::optional<Error> lost;  ///< the first error of the store: documents are missing
};

namespace opdebug::report {

using ScanContents = ScanReport::Contents;

/// The members that both JSON forms begin with. `type`: of a line; null: the report is one document.
void write_head(const ScanReport::Contents& contents, ReportWriter& object, const char* type);

void write_members(const ScanCounts& counts, JsonWriter& json);

/// The lists that end both forms. Error: read_failed, of a merged report.
std::optional<Error> write_lists(const ScanReport::Contents& contents, ReportWriter& object);

/// Why the documents of the single dumps are not there: the options do not keep them, or they were lost. Nothing: they
/// are there.
inline std::optional<Error> why_missing(const ScanReport::Contents& contents) {
    if (!contents.options.keep_documents) {
        return Error{ErrorCode::invalid_argument,
                     "the options of the report do not keep what this form shows of each dump", "", std::nullopt};
    }
    return contents.lost;
}

/// Hands on the documents of the dumps that the options show, in report order.
template <class Use>
std::optional<Error> read_timeline(const ScanReport::Contents& contents, const SinkWriter& out, Use use) {
    TimelineChoice choice(contents.options);
    return each_dump(contents, [&](const DumpInOrder& dump) -> Result<bool> {
        if (choice.takes(dump.entry)) {
            const Result<std::string_view> document = dump.document();
            if (!document) {
                return document.error();
            }
            if (!document->empty()) {
                use(dump.entry, *document);
            }
        }
        return !choice.is_full() && out.is_open();
    });
}

}  // namespace opdebug::report
