// The findings that kernels can be tied to: which call each is, and on which rank and in which step it ran.
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

/// Ties that are reported of one overflow. More help nobody: then the level is no answer, but a list.
constexpr std::size_t kMostTies = 5;

/// The name of a finding's call, split into its parts.
struct CallName {
    std::string function;  ///< "linear" of Functional.linear.4.forward; a module's class; a kernel's operator type
    bool is_backward = false;
    bool is_module = false;
    bool is_kernel = false;              ///< a row group of a statistic.csv
    std::optional<std::uint64_t> count;  ///< which call of its API in the step, from 0
};
CallName call_name_of(const ApiFinding& finding);

/// A rank, or a device where the folders name that, in one step or in all.
struct RankStep {
    bool is_device = false;
    std::optional<std::uint64_t> number;  ///< rank or device; nothing: not known
    bool every_step = false;
    std::optional<std::uint64_t> step;  ///< nothing: not known

    // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
    friend auto operator<=>(const RankStep&, const RankStep&) = default;
};

/// Under which a finding is listed: its rank with its step, and with all steps.
std::vector<RankStep> rank_steps_of(const ApiFinding& finding);

/// Compares ranks and steps of both sides, and records what it assumes for that.
class RankMatcher {
public:
    RankMatcher(const ApiReport& report, const std::vector<KernelOverflow>& overflows);

    /// Where the findings of an overflow can be; empty: not known.
    std::vector<RankStep> rank_steps_of(const KernelOverflow& overflow) const;

    /// What a tie between them assumes, as parts of a sentence that begin with "; "; often empty.
    std::string assume(const KernelOverflow& overflow, const ApiFinding& finding);

    /// That a trace of that rank is the trace of the device.
    std::string assume_rank(std::uint64_t device, std::uint64_t rank);

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

/// Whether a kernel can have overflowed in the call. likely: its results went bad there. possible: a bad value only
/// passed through, or nothing is known of its inputs. never: no kernel's fault.
enum class Chance { likely, possible, never };
Chance chance_of(ApiVerdict verdict) noexcept;

/// Findings that fit, in the order of the report.
struct Candidates {
    std::vector<std::size_t> first;  ///< at most kMostTies
    std::size_t all = 0;

    bool empty() const noexcept { return first.empty(); }
};

/// Findings by a key. Likely ones hide those that are only possible.
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

    /// The count of a long list may count a finding twice that is in several lists.
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

/// A finding that fits an overflow, or the host operation of a trace.
struct Fit {
    ApiTieLevel level = ApiTieLevel::rank_or_device_only;
    std::optional<std::size_t> finding;
    std::string api;  ///< of a host operation
    std::string because;
    bool takes_profiler_step = false;                            ///< ProfilerStep#N is taken for step N of the dumps
    std::optional<std::uint64_t> rank_of_device = std::nullopt;  ///< of a trace, taken for the overflow's device
};

struct Fits {
    std::vector<Fit> list;
    std::size_t left_out = 0;
    bool is_certain = false;  ///< the trace is certain which operation it was, and findings fit it
};

}  // namespace opdebug::api_ties
