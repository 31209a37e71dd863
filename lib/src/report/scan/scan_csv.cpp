// The scan report as CSV: the rows of the timeline, then those of the dumps that failed.
#include <opdebug/scan_report.hpp>

#include "report/scan/kept_texts.hpp"
#include "report/scan/scan_rows.hpp"

namespace opdebug {
inline namespace v0 {

std::optional<Error> ScanReport::write_csv(const TextSink& sink) const {
    if (auto error = report::why_missing(*contents_, contents_->options.keep_rows)) {
        return error;
    }
    report::SinkWriter out(sink);
    out.write(report::scan_row_header(contents_->options.report.tensors));
    const auto write = [&out](std::string_view rows) { out.write(rows); };
    auto error = report::read_timeline(*contents_, report::KeptText::rows, out, write);
    std::uint64_t failed = contents_->scan.counts.failed;
    if (!error && failed != 0) {
        error = report::read_each(
            *contents_, report::KeptText::rows, out,
            [&failed](const report::ScanEntry& entry, bool& is_last) {
                const bool takes = entry.item.state == DumpState::failed;
                failed -= takes ? 1U : 0U;
                is_last = failed == 0;
                return takes;
            },
            write);
    }
    out.flush();
    return error;
}

}  // namespace v0
}  // namespace opdebug
