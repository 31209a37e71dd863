// A report that scans a tree itself, with documents written by several threads, is the one that gets its dumps in turn.
#include <doctest/doctest.h>

#include <opdebug/report.hpp>

#include "dump_builder.hpp"
#include "payload_builder.hpp"
#include "scan_items.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

/// Overflowed, clean and damaged dumps of two ranks; the earliest is among the last in path order.
void make_dumps(const TemporaryDirectory& directory) {
    for (unsigned i = 0; i < 120; ++i) {
        const std::string name = "rank_" + std::to_string(i % 2) + "/Net/0/" + std::to_string(i / 10) +
                                 "/Opdebug.Node_OpDebug.1.5." + std::to_string(scan_begin_us + (120 - i) * second_us);
        Buffer dump = build_overflow_dump(ai_core_example(i % 5 == 0 ? 0 : 0x20U << (i % 3)));
        dump.resize(i % 7 == 0 ? dump.size() / 2 : dump.size());
        write_file(directory / name, dump);
    }
}

using Texts = std::vector<std::string>;

Texts texts_of(ScanReport& report, const Scan& scan) {
    REQUIRE_FALSE(report.finish(scan));
    return {written(report, &ScanReport::write_json), written(report, &ScanReport::write_json_lines),
            written(report, &ScanReport::write_csv), written(report, &ScanReport::write_text),
            written(report, &ScanReport::write_html)};
}

Texts added_in_turn(const std::string& folder) {
    ScanReport report;
    const Result<Scan> scan = opdebug::scan({folder}, {}, [&report](ScannedDump&& dump) { report.add(dump); });
    return texts_of(report, *scan);
}

Texts added_at_once(const std::string& folder, unsigned threads) {
    ScanOptions options;
    options.threads = threads;
    const Result<DumpTree> tree = find_dump_tree({folder}, options);
    ScanReport report;
    const Scan scan = report.add_all(*tree, options);
    return texts_of(report, scan);
}

}  // namespace

TEST_CASE("scan report: all dumps of a tree added at once make the report of dumps added in turn") {
    const TemporaryDirectory directory;
    make_dumps(directory);
    const Texts expected = added_in_turn(directory.path().string());
    for (const unsigned threads : {1U, 2U, 5U}) {
        CAPTURE(threads);
        CHECK(added_at_once(directory.path().string(), threads) == expected);
    }
}
