// `opdebug scan`: a whole job's dumps in, one report out, in every form.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "log_builder.hpp"
#include "scan_job.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

/// The lines of the jsonl form, each parsed.
std::vector<ordered_json> report_lines_of(const ProcessResult& run) {
    std::vector<ordered_json> documents;
    for (const std::string& line : lines_of(run.out)) {
        documents.push_back(ordered_json::parse(line));
    }
    if (const auto verdict = schema_verdict("report-line", run.out)) {
        CHECK(*verdict == std::to_string(documents.size()) + " valid\n");
    }
    return documents;
}

}  // namespace

TEST_CASE("scan: every form has the same bytes for every number of threads, on stdout and in the file of -o") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_damaged_job(root);
    for (const std::string& form : report_forms) {
        CAPTURE(form);
        const std::string alone = scan_in(root, form, {"-j", "1"}).out;
        CHECK_FALSE(alone.empty());
        CHECK(scan_in(root, form, {"-j", "2"}).out == alone);
        CHECK(scan_in(root, form, {"--jobs", "8", "-o", directory / form}).out.empty());
        CHECK(read_file(directory / form) == alone);
    }
}

TEST_CASE("scan: --first and --all choose what the timeline holds, the counts stay") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_job(root);
    const ordered_json two = report_of(scan_in(root, "json", {"--first", "2"}));
    CHECK(two["timeline"].size() == 2);
    CHECK(two["timeline"][0]["file"] == first_file_of(root));
    CHECK(two["counts"]["overflowed"] == 11);
    CHECK(report_of(scan_in(root, "json", {"--all"}))["timeline"].size() == 12);
    CHECK(report_of(scan_in(root, "json", {"--all", "--first", "12"}))["timeline"].size() == 12);
    CHECK(report_of(scan_in(root, "json", {"--first", "0"}))["timeline"].empty());
    CHECK(report_lines_of(scan_in(root, "jsonl", {"--first", "2"})).size() == 4);
}

TEST_CASE("scan: each document of the timeline is that of decode, those of clean dumps included") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_damaged_job(root);
    std::size_t clean = 0;
    const ordered_json report = report_of(scan_in(root, "json", {"--all"}));
    for (const ordered_json& document : report["timeline"]) {
        const ProcessResult decoded = run_tool({"decode", document["file"].get<std::string>()});
        CHECK(ordered_json::parse(decoded.out) == document);
        if (document["overflow"] == false) {
            ++clean;
            REQUIRE(document["diagnostics"].size() == 1);  // why there is no operator
            CHECK(document["diagnostics"][0]["code"] == "no_overflow");
        }
    }
    CHECK(clean == 1);
}

TEST_CASE("scan: the exit status tells of damage, of overflows where asked, and of nothing to do") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_job(root);
    CHECK(scan_in(root, "json").exit_status == 0);
    CHECK(scan_in(root, "json", {"--fail-on", "overflow"}).exit_status == 3);
    CHECK(scan_in(root + "/rank_1/Net/0/4", "json", {"--fail-on", "overflow"}).exit_status == 0);
    write_file(root + cut_dump, cut(legacy(0), 1500));
    CHECK(scan_in(root, "json").exit_status == 1);
    CHECK(scan_in(root, "json", {"--fail-on", "overflow"}).exit_status == 3);

    write_file(directory / "empty/readme.txt", "x");
    const ProcessResult nothing = scan_in(directory / "empty", "json", {"-o", directory / "report"});
    CHECK(nothing.exit_status == 2);
    CHECK(nothing.out.empty());
    CHECK(contains(nothing.err, "no overflow dump was found"));
    CHECK(contains(nothing.err, "below the paths; found there: 1 .txt"));
    CHECK_FALSE(fs::exists(directory / "report"));
    write_file(directory / "empty/Exp.exp.1.2.1700000000000000", "x");
    CHECK(contains(scan_in(directory / "empty", "json").err, "below the paths; found there: 1 .txt, 1 operator dump"));
    CHECK(contains(run_tool({"overflow", "-d", directory / "empty", "-out", directory / "summary"}).err,
                   "below the folder; found there: 1 .txt, 1 operator dump"));
    const ProcessResult missing = scan_in(directory / "missing", "json");
    CHECK(missing.exit_status == 2);
    CHECK(contains(missing.err, directory / "missing"));
}

TEST_CASE("scan: one path that is not there costs exit status 1, never the rest") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_job(root);
    const ProcessResult run = scan_in(directory / "missing", "json", {root});
    CHECK(run.exit_status == 1);
    CHECK(contains(run.err, "opdebug: 12 dumps, 11 overflowed, 1 path not read"));
    const ordered_json report = report_of(run);
    CHECK(report["counts"]["dumps"] == 12);
    REQUIRE(report["failures"].size() == 1);
    CHECK(report["failures"][0]["file"] == directory / "missing");
    CHECK(report["failures"][0]["code"] == "file_not_found");
}

TEST_CASE("scan: where no dump was found, what may hide dumps is said") {
    const TemporaryDirectory directory;
    write_file(directory / "a/Opdebug.Node_OpDebug.bak", "x");
    fs::create_symlink("nowhere", directory / ("a/" + dump_name(1)));
    const ProcessResult run = scan_in(directory / "a", "json");
    CHECK(run.exit_status == 2);
    CHECK(contains(run.err, "Opdebug.Node_OpDebug.bak"));
    CHECK(contains(run.err, "missing targets"));
    const ProcessResult unread = scan_in(directory / "a", "json", {directory / "missing"});
    CHECK(unread.exit_status == 1);
    CHECK(unread.out.empty());
    CHECK(contains(unread.err, (directory / "missing") + ": cannot find"));
    CHECK(contains(unread.err, "no overflow dump was found"));
}

TEST_CASE("scan: damaged dumps that count are reported in every form, and in the closing line") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_damaged_job(root);
    const std::string damaged = root + "/rank_7/Net/0/3/" + dump_name(61);
    write_file(damaged, cut(legacy(32), 500));
    for (const std::string& form : report_forms) {
        CAPTURE(form);
        const ProcessResult run = scan_in(root, form, {"--all"});
        CHECK(run.exit_status == 1);
        CHECK(contains(run.err, "opdebug: 14 dumps, 12 overflowed, 1 unreadable, 1 damaged\n"));
        CHECK(contains(form == "csv" ? run.err : run.out, "1 dump is damaged"));
        const ProcessResult file = scan_in(root, form, {"-o", directory / "report"});
        CHECK(contains(file.err, "opdebug: " + (directory / "report") + ": 14 dumps"));
        if (form != "csv") {
            CHECK(scan_in(root, form, {"-q"}).err.empty());
        }
    }
}

namespace {

bool has_remark(const ordered_json& report, const std::string& code) {
    const ordered_json& remarks = report["diagnostics"];
    return std::any_of(remarks.begin(), remarks.end(),
                       [&code](const ordered_json& remark) { return remark["code"] == code; });
}

}  // namespace

TEST_CASE("scan: the report names logs that could not be read, in every form that has a place for it, and merged too") {
    const TemporaryDirectory directory;
    const std::string root = directory / "job";
    write_job(root);
    write_file(directory / "logs/plog-5100_1.log", LogText().at(0).set_up_stream(563).text());
    write_file(directory / "logs/plog-5100_2.log.gz", "\x1f\x8b\x08 and no more of it");
    const std::string cut = directory / "logs/plog-5100_2.log.gz";
    const auto is_told = [](const ordered_json& report) {
        std::size_t count = 0;
        for (const ordered_json& remark : report["diagnostics"]) {
            count += remark["severity"] == "error" && remark["code"] == "log_unreadable" &&
                             contains(remark["message"].get<std::string>(), "plog-5100_2.log.gz")
                         ? 1U
                         : 0U;
        }
        return count == 1;
    };
    const std::vector<std::string> with_logs{"--logs", directory / "logs"};
    const ProcessResult whole = scan_in(root, "json", with_logs);
    CHECK(whole.exit_status == 1);
    CHECK(contains(whole.err, cut));
    CHECK(is_told(report_of(whole)));
    for (const char* form : {"text", "jsonl", "html"}) {
        CAPTURE(form);
        CHECK(contains(scan_in(root, form, with_logs).out, "log_unreadable"));
    }
    // CSV has no column for it; a message reports it, once.
    const ProcessResult csv = scan_in(root, "csv", with_logs);
    CHECK_FALSE(contains(csv.out, cut));
    CHECK(csv.err.find(cut) != std::string::npos);
    CHECK(csv.err.find(cut) == csv.err.rfind(cut));

    std::vector<std::string> merge{"merge"};
    for (const char* shard : {"0/2", "1/2"}) {
        const ProcessResult part = scan_in(root, "jsonl", {"--logs", directory / "logs", "--shard", shard});
        merge.push_back(write_file(directory / ("part" + std::string(1, shard[0])), part.out));
    }
    CHECK(run_tool(merge).out == whole.out);
    // A log that is not there at all.
    const ordered_json absent = report_of(scan_in(root, "json", {"--logs", directory / "missing"}));
    CHECK(has_remark(absent, "file_not_found"));
}

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
