// The dumps of all parts in report order. Each part has its own in that order, so one dump of each is in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "merge/part.hpp"
#include "report/dumps_in_order.hpp"

namespace opdebug::merge {

/// What there was to see besides the dumps.
struct PassNotes {
    std::uint64_t repeated = 0;        ///< dumps that another part has as well
    std::string first_repeated;        ///< one of them, with the parts
    std::vector<std::uint64_t> dumps;  ///< used of each part
    std::vector<std::string> faults;   ///< of each part: why it was not read to its end; empty: it was
};

class MergedDumps : public report::DumpsInOrder {
public:
    explicit MergedDumps(std::vector<std::shared_ptr<const Part>> parts) : parts_(std::move(parts)) {}

    std::optional<Error> each(const report::UseDump& use) const override;

    /// The same, with the number of the part that a dump is of.
    void each(const std::function<bool(const report::DumpInOrder&, std::size_t part)>& use, PassNotes& notes) const;

private:
    std::vector<std::shared_ptr<const Part>> parts_;
};

}  // namespace opdebug::merge
