// The overview of a tree, built dump by dump: a merged report may have more dumps than fit into memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/scan.hpp>

#include "scan/dump_source.hpp"
#include "scan/groups.hpp"

namespace opdebug::scan_stage {

/// Compares the first overflow with the other overflowed dumps and with those that cannot be decoded: such dumps are
/// written where something overflowed. Memory does not grow with the dumps.
class FirstDoubts {
public:
    /// The next overflowed or failed dump in report order, with the number of its source and its host.
    void add(const ScanItem& item, std::uint32_t source, const std::string& host);

    /// first_uncertain, one for each reason.
    std::vector<Diagnostic> diagnostics() const;
    FirstRivals rivals() const;

private:
    /// Why a dump may be earlier.
    enum class Reason { close_in_time, time_unknown };
    /// The dumps that may be earlier for one reason: how many, and the first few by name.
    struct Rivals {
        std::size_t count = 0;
        std::vector<LocalizedText> names;

        void add(const std::string& name, const LocalizedText& remark);
    };

    void set_first(const ScanItem& item, std::uint32_t source, std::string name);
    std::optional<Reason> reason_of(const ScanItem& item, std::uint32_t source) const;
    LocalizedText remark_on(const ScanItem& item) const;
    Diagnostic doubt(std::string_view id, const Rivals& rivals) const;

    std::optional<ScanItem> first_;
    std::string first_name_;
    std::uint32_t first_source_ = 0;
    std::optional<std::string> first_plausible_;  ///< the first of the other overflows whose time is plausible
    Rivals close_in_time_, time_unknown_, unreadable_;
    std::vector<std::pair<std::string, ScanItem>> unreadable_before_;  ///< in the order before the first: those to name
    std::size_t unreadable_before_count_ = 0;
    std::set<std::uint64_t> close_ranks_;
};

class OverviewBuilder {
public:
    /// `sharing_hosts`: as for SourceTable.
    explicit OverviewBuilder(std::set<std::string, std::less<>> sharing_hosts = {})
        : sources_(std::move(sharing_hosts)) {}

    /// The next dump in report order, whatever its state.
    void add(const ScanItem& item);

    /// After the last dump.
    ScanOverview finish();

private:
    /// Operator and model are those of the task that was located.
    struct OperatorKey {
        std::string type, name;
        // NOLINTNEXTLINE(modernize-use-nullptr): the check takes the comparison with 0 for one of pointers
        auto operator<=>(const OperatorKey&) const = default;
    };
    struct Group {
        std::string first_file;
        GroupTally members;
    };
    struct Operator {
        std::map<std::pair<std::string, std::string>, Group> groups;  ///< by cause and model
        std::optional<GroupTally> members;                            ///< of several groups
    };

    ScanGroup finish_group(const GroupTally& members) const;

    SourceTable sources_;
    Population population_;
    FirstDoubts first_;
    std::map<OperatorKey, Operator> operators_;
    std::uint64_t dumps_ = 0;
};

}  // namespace opdebug::scan_stage
