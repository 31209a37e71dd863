// API dumps of a run next to those of a benchmark: outcome of each step, the problem step, and the first call whose
// inputs agree and whose output does not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/api.hpp>

namespace opdebug::api_pairs {

/// Best first. unknown: the statistics do not decide. apart without a difference: other checksums.
enum class Distance { unknown, same, close, apart, far };

/// "unknown", "same", "close", "apart", "far". Static storage.
std::string_view to_string(Distance distance) noexcept;

/// How a value differs between the sides.
struct Comparison {
    ApiState state_here = ApiState::unknown, state_there = ApiState::unknown;
    /// Largest relative difference of Max, Min and Norm; infinite if the benchmark has 0. Empty: not computed.
    std::optional<double> difference;
    Distance distance = Distance::unknown;
    bool bad_here_only = false;  ///< NaN, Inf or at the limit here, clean in the benchmark
    bool bad_there = false;
    /// Bad on a side, but the same event on both: a mask, an equal scalar, or a number that only one type ends at.
    bool is_agreed = false;
};

/// One value on both sides.
struct ValuePair : Comparison {
    ApiValue here, there;
};

/// Which side has a bad value in a step; there_too: both, maybe in other calls. not_comparable: a dump or a statistic
/// is missing.
enum class StepOutcome { here_only, there_only, there_too, neither, not_comparable };

/// The rule for the problem step. here_only: the benchmark has no bad step. more_often: both have, more here. alike:
/// both have, not more here. not_known: evidence is missing.
enum class ProblemRule { here_only, more_often, alike, there_only, neither, not_known };

/// breaks_here: inputs agree, output does not. drifts_here: the same with a small difference. inherited_difference: the
/// inputs are apart. also_there: the benchmark's call has a bad result too. not_known: see `needed`.
enum class BreakKind { breaks_here, drifts_here, inherited_difference, also_there, not_known };

/// Whether a bad value mattered, by the dumps alone.
enum class Matters { reached_results, stayed_inside, unknown };

/// The names in JSON. Static storage.
std::string_view to_string(StepOutcome outcome) noexcept;
std::string_view to_string(ProblemRule rule) noexcept;
std::string_view to_string(BreakKind kind) noexcept;
std::string_view to_string(Matters matters) noexcept;

using Number = std::optional<std::uint64_t>;

/// Each call of both sides is in exactly one of them.
struct PairCounts {
    std::uint64_t paired = 0, only_here = 0, only_there = 0;
    std::uint64_t not_comparable = 0;  ///< pairs without a value of the same shape and a comparable type

    PairCounts& operator+=(const PairCounts& more) noexcept {
        paired += more.paired;
        only_here += more.only_here;
        only_there += more.only_there;
        not_comparable += more.not_comparable;
        return *this;
    }
};

struct StepPair {
    Number step, bench_step;
    StepOutcome outcome = StepOutcome::not_comparable;
    bool here_bad = false, there_bad = false;
    bool made_here = false, made_there = false;  ///< a bad value of that side is clean on the other side
    bool same_call = false;                      ///< the first bad calls are a pair
    std::string first_here, first_there;
    PairCounts counts;
    std::vector<LocalizedText> missing;  ///< what prevents the comparison
    bool may_be_problem = false;         ///< not comparable, and not known to be clean here
};

/// A call that explains a difference, or would if the needed dump existed.
struct Break {
    BreakKind kind = BreakKind::not_known;
    bool is_strong = false;
    Number step, rank;
    std::string api, partner;  ///< names of the call and of its partner; no partner: empty
    std::uint64_t position = 0;
    std::string file, partner_file;
    bool by_order = false;
    std::vector<ValuePair> inputs, outputs;
    LocalizedText because;
    Matters matters = Matters::unknown;
    LocalizedText matters_because;
    std::vector<LocalizedText> needed;  ///< the missing dumps
};

struct BenchComparison {
    std::vector<std::string> inputs;  ///< of the benchmark
    ApiCounts counts;                 ///< of the benchmark
    PairCounts pairs;
    std::vector<std::string> only_here, only_there;  ///< the first names
    std::vector<StepPair> steps;
    ProblemRule rule = ProblemRule::not_known;
    std::optional<std::size_t> problem;  ///< in `steps`
    bool is_strong = false;
    std::uint64_t bad_here = 0, bad_there = 0,
                  window = 0;   ///< steps bad only on that side; comparable steps of the rule
    std::vector<Break> breaks;  ///< of the problem step; without one, of the first step with a difference
    std::vector<LocalizedText> needed;
    std::vector<Error> failures;
    std::vector<Diagnostic> diagnostics;
};

struct BenchReport {
    ApiReport here;
    BenchComparison bench;
};

struct BenchOptions {
    ApiOptions api;
    std::int64_t step_offset = 0;  ///< step of the benchmark minus step here
};

/// Reads each file of both sides once. Memory: the calls of one step and rank of both sides for each thread, and the
/// findings of all. Error: as find_api_culprits(), for one side. Thread-safe.
Result<BenchReport> compare_with_bench(const std::vector<std::string>& paths, const std::vector<std::string>& bench,
                                       const BenchOptions& options);

}  // namespace opdebug::api_pairs
