// The summary of the first overflows of a tree in the form of msaccucmp overflow (docs/cli.md, "overflow"): the
// records, their causes, and the tensors of the operator's dump.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <opdebug/export.h>
#include <opdebug/locate.hpp>
#include <opdebug/origin.hpp>
#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

namespace opdebug {
inline namespace v0 {

/// Keeps the first overflows of a scan in the order of reports (comes_before); memory is bound by their number. Not
/// thread-safe.
class OPDEBUG_API FirstOverflows {
public:
    explicit FirstOverflows(std::uint64_t count);
    ~FirstOverflows();
    FirstOverflows(const FirstOverflows&) = delete;
    FirstOverflows& operator=(const FirstOverflows&) = delete;

    /// Dumps that did not overflow are left out.
    void add(ScannedDump&& dump);

    /// The first ones in order; nothing is kept.
    std::vector<ScannedDump> take();

private:
    struct Kept;
    std::uint64_t count_;
    std::unique_ptr<Kept> kept_;
};

/// One overflow of the summary.
struct SummarizedOverflow {
    std::uint64_t number = 1;  ///< from 1
    Dump dump;
    Location location;
    TensorEvidence evidence;  ///< of measure_operator(location)
    /// For each tensor of `evidence.op_dump` the .npy file that was written, below the folder of results; empty: none
    /// was.
    std::vector<std::string> npy_files;
};

/// The block of one overflow; a summary is its blocks one behind the other. The lines of msaccucmp, with the causes of
/// each record on a line of their own below the time. Names are made printable. Ends with a line break.
/// Thread-safe.
OPDEBUG_API std::string overflow_summary_to_text(const SummarizedOverflow& overflow, const ReportOptions& options = {});

}  // namespace v0
}  // namespace opdebug
