// A dump of a report as the report remembers it, and dumps in report order.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include <boost/ptr_container/ptr_vector.hpp>

#include <opdebug/report.hpp>
#include <opdebug/result.hpp>

#include "report/entries/document_store.hpp"

namespace opdebug::report {

struct ScanEntry {
    ScanItem item;
    DocumentStore::Place document;  ///< its record document in one line; failed dumps have one, clean ones of `all`
    DocumentStore::Place rows;      ///< its rows of the CSV form, where it has a document
    std::string failure_code, failure_message;  ///< state failed
};

/// All dumps of a report, each in memory of its own: entries are large, and a list that grows or is put in order would
/// move every one of them.
using ScanEntries = boost::ptr_vector<ScanEntry>;

/// Chooses the dumps of the timeline among all, which come in report order: overflowed ones, with `all` the clean ones
/// too, at most `first` of them.
class TimelineChoice {
public:
    explicit TimelineChoice(const ScanReportOptions& options) : options_(options) {}

    bool takes(const ScanEntry& entry) {
        const DumpState state = entry.item.state;
        const bool belongs = state == DumpState::overflowed || (state == DumpState::clean && options_.all);
        return belongs && !is_full() && matches(options_.filter, entry.item) && ++taken_ != 0;
    }
    bool is_full() const noexcept { return options_.first && taken_ >= *options_.first; }

private:
    const ScanReportOptions& options_;
    std::uint64_t taken_ = 0;
};

enum class KeptText { document, rows };

/// A dump while it is its turn.
struct DumpInOrder {
    const ScanEntry& entry;
    /// What was kept of it; empty: nothing. Holds until the next call. Error: read_failed.
    std::function<Result<std::string_view>(KeptText)> text;
};

/// Takes a dump; false: no more are wanted.
using UseDump = std::function<bool(const DumpInOrder&)>;

class DumpsInOrder {
public:
    virtual ~DumpsInOrder() = default;
    /// Hands out every dump. Error: read_failed.
    virtual std::optional<Error> each(const UseDump& use) const = 0;
};

}  // namespace opdebug::report
