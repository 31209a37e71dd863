// How a use of the ids fits a record: one struct of named facts, and the two tables that read it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/result.hpp>

namespace opdebug::locate_stage {

/// doubtful: contradicts, but by something that is known to be wrong at times.
enum class Agreement : std::uint8_t { agrees, unknown, doubtful, contradicts };

/// Whether the dump's time is inside the use: for every possible offset of the clocks, for some, or for none.
enum class Inside : std::uint8_t { wholly, partly, not_comparable, never };

/// How a line came to its task id. confirmed: it is the final one. from_serial_number: on Ascend 950 lines carry a
/// position in the queue and a serial number, and which of them the record carries is not known; the lower half of the
/// serial number is the id here. unconfirmed: it was printed before it was final, and no submit line shows the final
/// one.
enum class TaskNumber : std::uint8_t { confirmed, from_serial_number, unconfirmed };

/// What names the operator of a use, best first.
enum class Naming : std::uint8_t { exact, kernel, type, none };

/// What is known of one use of the ids, in one process and on one device, against the record and its folders.
struct Fit {
    bool has_lines = true;                       ///< a line is about the task, not only about its stream
    Agreement host = Agreement::unknown;         ///< folder of the logs in the path of the dump
    Agreement rank = Agreement::unknown;         ///< of the process in the job, and of the dump's folder
    Agreement device = Agreement::unknown;       ///< of the lines, and of the dump's folder
    Agreement is_of_model = Agreement::unknown;  ///< whether record and use belong to a model at all
    Agreement model_id = Agreement::unknown;     ///< of the record, and of the stream's binding
    Agreement folder = Agreement::unknown;       ///< the process's own time folder, by its lines
    Agreement folder_time = Agreement::unknown;  ///< doubtful: the process ended before the dump's time folder was made
    Inside time = Inside::not_comparable;
    bool is_at_best_offset = false;               ///< inside for the most likely offset
    bool is_reported = false;                     ///< the host's own report of this overflow gives the time
    bool is_zone_inferred = false;                ///< the only reason for the zone: the dump falls there
    Agreement device_line = Agreement::unknown;   ///< the device's line on this very dump names the operator
    Agreement model_name = Agreement::unknown;    ///< of the dump's folder, and of the model
    Agreement model_number = Agreement::unknown;  ///< of the dump's folder, and of the model in GE or the runtime
    Agreement task_type = Agreement::unknown;     ///< of the record, and of the task as it was sent
    TaskNumber number = TaskNumber::confirmed;
    Naming naming = Naming::none;
    std::ptrdiff_t process = 0;  ///< its index in the logs
    std::int64_t begin_us = 0;   ///< 0: the times of dump and log cannot be compared
};

/// A reason that excludes a use. A soft one does only where another use agrees in the same.
struct ExcludeRow {
    std::string_view name;
    bool (*excludes)(const Fit& fit);
    bool (*agrees)(const Fit& fit);  ///< null: the row is hard
};
std::span<const ExcludeRow> exclude_rows() noexcept;

/// decides: leaves the first alone. orders: without it the uses count as equal, as far as it is about their models.
enum class Weight : std::uint8_t { decides, prefers, orders };

/// A reason to put one use before another: the smaller number first.
struct RankRow {
    std::string_view name;
    std::int64_t (*value)(const Fit& fit);
    Weight weight;
};
std::span<const RankRow> rank_rows() noexcept;

/// Why the use that a row puts first is likelier; empty: the row is no evidence.
LocalizedText why_likelier(const RankRow& row);

/// "model id", "agrees": what is known of it.
using FitFacts = std::vector<std::pair<std::string_view, std::string_view>>;
FitFacts facts_of(const Fit& fit);

/// "device agrees, model id contradicts, time inside".
LocalizedText describe(const FitFacts& facts);

/// The name of a row, fact or finding.
LocalizedText fit_word(std::string_view name);

}  // namespace opdebug::locate_stage
