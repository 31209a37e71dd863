// How certain the first overflow of a report is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <opdebug/scan_overview.hpp>

#include "scan/clock.hpp"
#include "scan/dump_source.hpp"

namespace opdebug::scan_stage {

/// "node-7:dump/rank_0/…": hosts with disks of their own have equal paths.
std::string show_dump(const std::string& host, const ScanItem& item);

/// The dumps that may be first for one reason: how many, and the first few in words.
struct Rivals {
    static constexpr std::size_t kMostNames = 3;
    std::size_t count = 0;
    std::string names;

    void add(const std::string& dump, const std::string& remark);
    /// The same, in words only where it is named.
    void add(const std::string& host, const ScanItem& item, const std::string& remark);
    /// Further ones without a name: the first few are named.
    void add_nameless(std::size_t further);
};

/// Compares the first overflow with the others, one by one, in report order: memory grows with the places and with the
/// dumps of the first one's step. Dumps that cannot be read are rivals, too: they are written where something
/// overflowed, and their names and folders tell step and time.
class FirstDoubts {
public:
    /// The next overflowed or failed dump in report order; the first that overflowed is the one that is judged.
    void add(const ScanItem& item, const PlaceNumbers& place, const KnownPlaces& places);

    /// first_uncertain, one for each reason.
    std::vector<Diagnostic> doubts();

private:
    /// Dumps of another place in the first one's step, more than a second later: the other steps tell whether that is
    /// much.
    struct LaterDumps {
        struct Named {
            std::size_t number;  ///< of the dump, in report order
            std::string dump;
            std::int64_t later;
        };
        std::vector<Named> first;
        std::vector<std::int64_t> later;  ///< of all, ascending
    };
    using LaterByPlace = std::map<std::uint32_t, LaterDumps>;
    /// Failed dumps in front of the first overflow.
    struct FailedBefore {
        std::size_t count = 0;
        std::vector<std::pair<std::string, ScanItem>> first;  ///< with the host
    };

    void add_failed(const ScanItem& item, std::uint32_t place, const std::string& host);
    void begin(const ScanItem& item, const std::string& host);

    void judge(const ScanItem& item, std::uint32_t place, const std::string& host);
    void judge_same_step(const ScanItem& item, std::uint32_t place, const std::string& host, std::int64_t later);
    void judge_without_step(const ScanItem& item, std::uint32_t place, const std::string& host, std::int64_t later);
    void compare_clocks_of(const ScanItem& item, std::uint32_t place);
    void end_step();
    void judge_later_dumps(const LaterByPlace& later_dumps, Rivals& doubtful);
    /// Where a dump that may be earlier counts: for that reason, or as one that cannot be read.
    Rivals& rivals(const ScanItem& item, Rivals& reason) {
        return item.state == DumpState::failed ? unreadable_ : reason;
    }
    void tell_of_wild_time(std::vector<Diagnostic>& doubts) const;
    void tell(std::vector<Diagnostic>& doubts, const Rivals& rivals, const char* why) const;
    void tell(std::vector<Diagnostic>& doubts, const Rivals& rivals, const std::string& kind, const char* why) const;

    std::optional<ScanItem> first_;
    std::string first_dump_;  ///< in words, as all dumps here: the host, where it is known, and the file
    std::uint32_t place_ = 0;
    std::size_t number_ = 0;
    std::optional<std::string> first_credible_;  ///< by the order of reports, without wild times
    Rivals other_clock_, same_time_, without_time_, wild_time_, without_step_, later_step_, unreadable_;
    LaterByPlace later_dumps_, later_failed_;
    FailedBefore failed_before_;
    std::optional<std::uint64_t> step_;                                  ///< whose times are being compared
    std::unordered_map<std::uint32_t, std::uint64_t> earliest_of_step_;  ///< by place
    std::unordered_map<std::uint32_t, ClockComparison> comparisons_;     ///< of the first one's place with others
};

}  // namespace opdebug::scan_stage
