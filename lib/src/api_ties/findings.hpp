// The findings for ties with kernels: the call, rank and step of each.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>

namespace opdebug::api_ties {

/// Maximum number of reported ties of one overflow. More ties would be a list, not an answer.
constexpr std::size_t kMostTies = 5;

/// The name of a finding's call, split into its parts.
struct CallName {
    std::string function;  ///< "linear" of Functional.linear.4.forward; a module's class; a kernel's operator type
    bool is_backward = false;
    bool is_module = false;
    bool is_kernel = false;              ///< a row group of a statistic.csv
    std::optional<std::uint64_t> count;  ///< index of the call of its API in the step
};
CallName call_name_of(const ApiFinding& finding);

/// A rank, or a device if the folders name devices, in one step or in all.
struct RankStep {
    bool is_device = false;
    std::optional<std::uint64_t> number;  ///< rank or device; empty: unknown
    bool every_step = false;
    std::optional<std::uint64_t> step;  ///< empty: unknown

    // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
    friend auto operator<=>(const RankStep&, const RankStep&) = default;
};

/// Keys of a finding: its rank with its step, and with all steps.
std::vector<RankStep> rank_steps_of(const ApiFinding& finding);

/// Compares ranks and steps of both sides, and records its assumptions.
class RankMatcher {
public:
    RankMatcher(const ApiReport& report, const std::vector<KernelOverflow>& overflows);

    /// Possible keys of an overflow's findings; empty: unknown.
    std::vector<RankStep> rank_steps_of(const KernelOverflow& overflow) const;

    /// The assumptions of a tie between them, as parts of a sentence that begin with "; "; often empty.
    LocalizedText assume(const KernelOverflow& overflow, const ApiFinding& finding);

    /// Assumes that a trace of that rank is the trace of the device.
    LocalizedText assume_rank(std::uint64_t device, std::uint64_t rank);

    void assume_profiler_steps() noexcept { assumes_profiler_steps_ = true; }

    /// The assumptions so far, once for each pair of rank and device.
    std::vector<Diagnostic> diagnostics() const;

private:
    using RankOrDevice = std::pair<bool, std::optional<std::uint64_t>>;  ///< is_device, number

    std::optional<RankOrDevice> only_finding_;  ///< the only rank, device or process of the findings
    bool is_one_overflow_rank_ = false;
    bool has_unknown_ranks_ = false;  ///< findings without a rank, and overflows of several devices
    bool assumes_steps_ = false, assumes_profiler_steps_ = false, assumes_process_ = false;
    std::set<std::pair<std::uint64_t, std::uint64_t>> ranks_of_devices_;  ///< rank, device
};

/// Whether a kernel may have overflowed in the call. likely: results became bad there. possible: a bad value only
/// passed through, or nothing is known of its inputs. never: the cause is no kernel.
enum class Chance { likely, possible, never };
Chance chance_of(ApiVerdict verdict) noexcept;

/// Matching findings in the order of the report.
struct Candidates {
    std::vector<std::size_t> first;  ///< at most kMostTies
    std::size_t all = 0;

    bool empty() const noexcept { return first.empty(); }
};

/// Findings by key. Likely findings hide possible ones.
template <class Key>
class FindingMap {
public:
    void add(const Key& key, std::size_t finding, Chance chance) {
        if (chance != Chance::never) {
            (chance == Chance::likely ? likely_ : possible_)[key].push_back(finding);
        }
    }

    Candidates of(const std::vector<Key>& keys) const {
        Candidates found = joined(likely_, keys);
        return found.empty() ? joined(possible_, keys) : found;
    }

private:
    using Lists = std::map<Key, std::vector<std::size_t>>;

    /// The count of long lists may include a finding of several lists twice.
    static Candidates joined(const Lists& lists, const std::vector<Key>& keys) {
        constexpr std::size_t kMostCompared = 16;
        Candidates found;
        for (const Key& key : keys) {
            const auto list = lists.find(key);
            if (list != lists.end()) {
                const std::size_t compared = std::min(kMostCompared, list->second.size());
                const auto begin = list->second.begin();
                found.first.insert(found.first.end(), begin, begin + static_cast<std::ptrdiff_t>(compared));
                found.all += list->second.size();
            }
        }
        std::sort(found.first.begin(), found.first.end());
        const auto repeated = std::unique(found.first.begin(), found.first.end());
        found.all -= static_cast<std::size_t>(found.first.end() - repeated);
        found.first.erase(repeated, found.first.end());
        found.first.resize(std::min(kMostTies, found.first.size()));
        return found;
    }

    Lists likely_, possible_;
};

/// A matching finding, or the host operation of a trace.
struct Fit {
    ApiTieLevel level = ApiTieLevel::rank_or_device_only;
    std::optional<std::size_t> finding;
    std::string api;  ///< of a host operation
    LocalizedText because;
    bool takes_profiler_step = false;                            ///< assumes that ProfilerStep#N is step N of the dumps
    std::optional<std::uint64_t> rank_of_device = std::nullopt;  ///< rank of a trace, assumed for the overflow's device
};

struct Fits {
    std::vector<Fit> list;
    std::size_t left_out = 0;
    bool is_certain = false;  ///< the trace names one operation, and findings match it
};

}  // namespace opdebug::api_ties
