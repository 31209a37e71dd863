// `opdebug scan`: clean dumps whose records carry a warning.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "scan_job.hpp"

using namespace opdebug::test;
using nlohmann::ordered_json;

TEST_CASE("scan: clean dumps with a warning are counted, and their warnings stand in the report") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    AcceleratorPayload payload;
    payload.entries.push_back(counting_entry(AccType::aiv, 7));
    payload.entries.front().valid = 0;
    write_file(root + "/a/" + dump_name(1), build_overflow_dump(payload));
    write_file(root + "/b/" + dump_name(2), build_overflow_dump(payload));
    write_file(root + "/c/" + dump_name(3), legacy(0));
    write_file(root + "/d/" + dump_name(4), legacy());
    const ProcessResult run = scan_in(root, "json", {"-o", directory / "report.json"});
    CHECK(run.exit_status == 0);
    CHECK(contains(run.err, "4 dumps, 1 overflowed, 2 clean with a warning"));
    const ordered_json report = ordered_json::parse(read_file(directory / "report.json"));
    CHECK(report["counts"]["clean"] == 3);
    CHECK(report["timeline"].size() == 1);
    std::vector<std::string> codes;
    for (const ordered_json& remark : report["diagnostics"]) {
        codes.push_back(remark["code"]);
        if (codes.back() == "entry_not_valid") {
            CHECK(remark["message"].get<std::string>().starts_with(root + "/a/" + dump_name(1)));
        }
    }
    CHECK(std::count(codes.begin(), codes.end(), "clean_with_warning") == 1);
    CHECK(std::count(codes.begin(), codes.end(), "entry_not_valid") == 1);
}
