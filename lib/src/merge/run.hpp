// The dumps of one part, one after the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "merge/part.hpp"
#include "report/dumps_in_order.hpp"

namespace opdebug::merge {

class Run {
public:
    /// The part must outlive its run. It is read in pieces of so many bytes.
    Run(const Part& part, std::size_t piece)
        : lines_(part.text, part.dumps_begin, part.dumps_end, piece), is_cut_(!part.end) {}

    /// Goes on to the next dump; false at the end, and where a line is not what it should be.
    bool advance();
    const report::ScanEntry& entry() const noexcept { return dump_.entry; }
    /// Empty: none is told. Until the next advance().
    Result<std::string_view> text(report::KeptText kept);

    std::uint64_t dumps() const noexcept { return dumps_; }
    /// Why it ended before its end; empty: it did not.
    const std::string& fault() const noexcept { return fault_; }

private:
    bool fail(std::string_view why);

    PartLines lines_;
    bool is_cut_;
    report::DumpLine dump_;
    std::string rows_line_, rows_, document_;
    std::uint64_t dumps_ = 0;
    std::string fault_;
};

}  // namespace opdebug::merge
