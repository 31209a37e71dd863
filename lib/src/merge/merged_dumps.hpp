// The dumps of all parts in report order. Each part has its own in that order, so one dump of each is in memory.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "merge/part.hpp"
#include "report/entries/scan_entry.hpp"

namespace opdebug::merge {

/// Something that happens to several dumps: how many, and one of them with the parts that it is in.
struct SeveralParts {
    std::uint64_t count = 0;
    std::string first;
};

/// What there was to see besides the dumps.
struct PassNotes {
    SeveralParts repeated;   ///< dumps that another part has as well
    SeveralParts differing;  ///< dumps of unnamed hosts whose path and time another part has with other content
    std::vector<PartNotes> parts;
};

class MergedDumps : public report::DumpsInOrder {
public:
    /// `tensors`: the rows of all have the column of tensors.
    MergedDumps(std::vector<std::shared_ptr<const Part>> parts, bool tensors)
        : parts_(std::move(parts)), tensors_(tensors) {}

    std::optional<Error> each(const report::UseDump& use) const override;

    /// The same, with the number of the part that a dump is of.
    void each(const std::function<bool(const report::DumpInOrder&, std::size_t part)>& use, PassNotes& notes) const;

private:
    std::vector<std::shared_ptr<const Part>> parts_;
    bool tensors_;
};

}  // namespace opdebug::merge
