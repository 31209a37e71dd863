// Training logs: loss, gradient norm, loss scale and skipped steps of each step, and a verdict with its rule.
//
//   lines ─► facts (formats) ─► series of steps (series, items) ─► findings (verdicts, scale_rules) ─► comparison
//
// The texts of logs are in lib/data/training/formats.json, the numbers of the rules in rules.json.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>

namespace opdebug::training {

/// NaN or infinite.
inline bool is_bad(const std::optional<double>& value) noexcept {
    return value && !std::isfinite(*value);
}

/// What the log shows of a step, or of an interval of steps with one line.
struct Step {
    std::optional<std::uint64_t> step;     ///< the last one of the interval; counted from 1
    std::uint64_t steps = 1;               ///< in the interval
    std::uint64_t line = 0;                ///< in the file, from 1
    std::string time;                      ///< as printed; empty: none
    std::optional<double> loss;            ///< may be NaN or infinite
    std::optional<double> grad_norm;       ///< may be NaN or infinite
    std::optional<double> scale;           ///< after the update
    std::optional<std::uint64_t> skipped;  ///< updates that were not applied; empty: the log does not contain it
    std::uint64_t skipped_least = 0;       ///< where `skipped` is empty
    std::optional<bool> last_skipped;      ///< where `skipped` is empty: whether that of the last step was not applied
    std::uint64_t nan_steps = 0;           ///< skipped steps whose own loss was not finite
    std::uint64_t applied_overflows = 0;   ///< overflows whose update was applied
    std::uint64_t falls = 0, growths = 0;  ///< of the scale, in halvings or doublings
    bool at_minimum = false;               ///< a skip could not reduce the smallest scale
    bool nan_inferred = false;             ///< the framework printed 0, or no loss, for one that was NaN
    bool nan_followed = false;             ///< the gradient is NaN, and from the next step on the loss: it was applied
    bool loss_hidden = false;              ///< the log has a loss in other lines: NaN, negative or 0 here
    bool skips_uncertain = false;          ///< lines of skips, of this step, of several or of an earlier one

    /// Whether the update with these values was applied.
    bool is_applied() const noexcept { return skipped == 0U || last_skipped == false || nan_followed; }

    /// Whether the loss is not finite, or a gradient that is not was applied.
    bool has_nan() const noexcept {
        return is_bad(loss) || nan_steps != 0 || nan_inferred || (is_bad(grad_norm) && is_applied());
    }
};

/// A line that states a certain fault.
struct Mark {
    enum class Kind : std::uint8_t { nan_stop, stop, static_scale, at_minimum };
    Kind kind = Kind::nan_stop;
    std::optional<std::uint64_t> step, rank;
    std::optional<std::uint64_t> after;  ///< the last step before this line
    std::uint64_t line = 0;
};

/// A line of the file that states NaN, an overflow or a skip in words that no format reads.
struct UnreadFault {
    static constexpr std::size_t kShown = 160;  ///< bytes of the line
    std::uint64_t line = 0;
    std::string text;
};

/// The steps of one process, or of processes that one file does not distinguish. A log with a restart has several.
struct Series {
    std::string file;
    std::string format;  ///< name of the framework
    std::string who;     ///< ranks that print these lines: "all ranks", "rank 0", "last rank"; empty: unknown
    std::optional<std::uint64_t> rank;
    std::vector<Step> steps;
    std::vector<Mark> marks;
    std::uint64_t interval = 1;               ///< steps between two lines
    std::uint64_t missing = 0;                ///< lines that are missing between others
    std::uint64_t damaged = 0;                ///< lines that could not be read
    bool begins_at_start = false;             ///< the first line is that of the first steps
    bool guessed = false;                     ///< only read by a guess
    bool skips_by_events = false;             ///< skipped steps have lines of their own
    bool lacks_main_loss = false;             ///< other losses, but not the main one, which is not printed if NaN
    bool ranks_disagree = false;              ///< scales of several processes differ
    bool cut = false;                         ///< the last line of the file is incomplete
    bool covers_steps = false;                ///< nothing is known of skips in the steps between two lines
    bool skips_counted = false;               ///< each line has the number of skips, of its steps or of all before
    bool in_folder = false;                   ///< the file was found below a folder
    bool steps_counted = false;               ///< the log contains no step numbers: the lines were counted
    std::optional<UnreadFault> unread_fault;  ///< the first one of the file
    std::optional<std::uint64_t> resumed_at;  ///< step at which this series goes on after a restart
    std::uint64_t part = 1, parts = 1;        ///< the steps of the process begin again parts - 1 times in the log

    /// False: a line of a skip may be lost.
    bool skips_are_sure() const noexcept { return !skips_by_events || damaged + missing == 0; }
    std::optional<std::uint64_t> first_step() const;
    std::optional<std::uint64_t> last_step() const;
};

/// In the order of weight: the first one decides.
enum class Verdict : std::uint8_t { nan_loss, sinking, static_scale_hit, undecided, probing, clean };
std::string_view to_string(Verdict verdict) noexcept;

struct Finding {
    Verdict verdict = Verdict::undecided;
    std::string rule;                   ///< snake_case name
    LocalizedText because;              ///< with numbers
    std::optional<std::uint64_t> step;  ///< first step of the fault
    std::uint64_t steps = 1;            ///< the fault is in one of so many steps up to `step`
    std::uint64_t line = 0;             ///< 0: none
};

struct Counts {
    std::uint64_t lines = 0, steps = 0, applied = 0, skipped = 0, skipped_at_start = 0;
    std::uint64_t nan = 0, hidden = 0, falls = 0, growths = 0;
    bool skips_known = false;
    bool is_least = false;  ///< of skips, falls and growths: uncertain lines may be more of them
};

/// A series with its verdict: that of the first finding.
struct Run {
    Series series;
    std::vector<Finding> findings;  ///< at least one
    Counts counts;
    std::size_t start_end = 0;  ///< items of `steps` in the initial phase, in which a scale is looked for
};

/// How a file was read.
struct TrainingFile {
    std::string path;
    std::uint64_t lines = 0, matched = 0, damaged = 0;
    bool cut = false;  ///< the last line is incomplete
};

/// A file that could not be read, or not to its end.
struct Failure {
    Error error;
    LocalizedText text;  ///< with the file
};

struct TrainingLogs {
    std::vector<TrainingFile> files;
    std::vector<Run> runs;  ///< in the order of files, then ranks
    std::vector<Failure> failures;
    std::vector<std::string> without_steps;  ///< paths of texts, if there are runs: some ranks print no steps
};

/// Reads logs, plain or compressed, and those below folders. Without failures there are runs.
TrainingLogs read_training_logs(const std::vector<std::string>& paths, const std::function<bool()>& stop = {});

/// The run whose verdict decides: the heaviest, then that with the first fault, then the longest. Steps that were done
/// again after a restart do not count. Of several parts of a log the first with the fault decides; one without a fault
/// only if no other follows. A run that is too short decides only if all are; of a folder, also one that may be a
/// sample. Null: no run.
const Run* deciding_run(const TrainingLogs& logs);

/// The run with the runs before and after its restarts, and with the steps before and after it in other files: only the
/// last part of a file goes on in another one. If steps were repeated, the later ones count.
Run whole_run(const TrainingLogs& logs, const Run& run);

/// Series, findings and counts of one file's text. For tests, without reading.
std::vector<Run> runs_of_text(std::string_view text, const std::string& file, TrainingFile& counts);

enum class BenchRule : std::uint8_t {
    here_only,
    more_often,
    alike,
    there_only,
    neither,
    bench_too_short,
    no_common_steps
};
std::string_view to_string(BenchRule rule) noexcept;

/// How often bad steps occur here and in the benchmark.
struct BenchComparison {
    BenchRule rule = BenchRule::neither;
    bool counts_skips = false;  ///< bad: skipped; otherwise: NaN
    std::uint64_t here = 0, there = 0, common = 0;
    std::optional<std::uint64_t> problem_step;
    std::uint64_t problem_steps = 1;  ///< the problem is in one of so many steps up to `problem_step`
    std::uint64_t window_first = 0, window_last = 0, window_here = 0, window_there = 0;
    bool is_strong = false;
    bool falls_only_here = false, falls_on_both = false;
    LocalizedText because;
};
BenchComparison compare(const Run& here, const Run& there);

/// Judges a series: findings, counts and the initial phase.
Run judge(Series series);

/// For the rules. `step`: where the fault begins; may be null.
Finding finding_at(Verdict verdict, std::string_view rule, LocalizedText because, const Step* step = nullptr);

/// Where the scale began to sink that is low at this item of the steps. Null: not shown.
const Step* begin_of_sinking(const Run& run, std::size_t end);

/// The first step with a skip; null: none.
const Step* first_skip(const Run& run);

/// A number as logs print it; "-": none.
std::string show_number(const std::optional<double>& value);

std::optional<Finding> sinking_in(const Run& run);

/// For runs without another finding.
Finding sound_or_undecided(const Run& run);

/// The numbers of rules.json by name.
std::uint64_t rule(std::string_view name);
const std::vector<std::uint64_t>& even_bound();

/// A scale as the logs print it: "65536", "0.5".
std::string show_scale(double scale);

}  // namespace opdebug::training
