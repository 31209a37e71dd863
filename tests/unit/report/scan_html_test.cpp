// The HTML page of a scan as text: everything escaped, nothing from outside, the data that its script draws. tests/html
// opens it in a browser.
#include <string>

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scan_builder.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::test;
using nlohmann::json;

namespace {

std::string data_text(const std::string& page) {
    const std::string begin = "id=\"data\">";
    const std::size_t start = page.find(begin) + begin.size();
    return page.substr(start, page.find("</script>", start) - start);
}

json data_of(const BuiltScan& built) {
    return json::parse(data_text(built.html()));
}

json table_of(const json& data, const std::string& name) {
    for (const json& table : data["tables"]) {
        if (table["name"] == name) {
            return table;
        }
    }
    return nullptr;
}

}  // namespace

TEST_CASE("scan html: names of files and operators never become markup") {
    const std::string page = hostile_scan().html();
    CHECK(count_of(page, "<script") == 3);  // words, data, program
    CHECK(count_of(page, "</script") == 3);
    CHECK(count_of(page, "</title>") == 1);
    CHECK_FALSE(contains(page, "\x1b"));
    CHECK_FALSE(contains(data_text(page), "<"));
    // As the script reads them.
    const json data = data_of(hostile_scan());
    CHECK(contains(data["folders"].dump(), "<script>document.title='ran'<"));
    CHECK(contains(data["rows"].dump(), R"(\\x1b[31mred\\x1b[0m \\xff\\xfe)"));
    CHECK(contains(data["ops"].dump(), R"(x\" onmouseover=\"document.title='ran' (Exp))"));
    BuiltScan built;
    built.add_overflow("/a", 0, 0).item.operator_name = "<b> & \x1b";
    CHECK(contains(built.html(), "<p class=\"sub\">FIRST OVERFLOW: &lt;b&gt; &amp; \\x1b · rank 0"));
}

TEST_CASE("scan html: nothing is loaded from outside and nothing but its own script may run") {
    const std::string page = hostile_scan().html();
    for (const char* part :
         {"http:", "https:", "<img", "<iframe", "<object", "url(", "@import", "<link", "<a ", " style=", "'unsafe"}) {
        CHECK_FALSE_MESSAGE(contains(page, part), part);
    }
    CHECK(contains(page, "default-src 'none'; style-src 'sha256-"));
    CHECK(contains(page, "; script-src 'sha256-"));
    CHECK_FALSE(contains(page, "{{"));
}

TEST_CASE("scan html: the head is there in both languages, a line of it also without scripts") {
    BuiltScan built = hostile_scan();
    CHECK(contains(built.html(), "<html lang=\"en\">"));
    CHECK(contains(built.html(),
                   "<p class=\"sub\">FIRST OVERFLOW: net/layer_3/attention/softmax/Exp (Exp) · rank 0 · "
                   "device 0 · toy_net · step 0 · 2026-03-04 10:00:05.000 (+00:00)</p>"));
    built.options.report.language = Language::chinese;
    const std::string page = built.html();
    CHECK(contains(page, "<html lang=\"zh\">"));
    CHECK(contains(page, "<title>opdebug 扫描：31 个 dump 中有 24 个溢出</title>"));
    const json head = data_of(built)["head"];
    CHECK(head["en"]["first"]["kind"] == "FIRST OVERFLOW");
    CHECK(head["zh"]["first"]["kind"] == "首个溢出");
    CHECK(head["en"]["first"]["causes"][0][0] == "floating-point overflow");
    CHECK(head["zh"]["first"]["causes"][0][0] == "浮点计算溢出");
}

TEST_CASE("scan html: the margin to the next rank of any step, with a doubt where the scan has one") {
    BuiltScan built;
    built.add_overflow("/a", 3, 0).item.path_ids.data_index = 7;
    built.add_overflow("/b", 3, 10).item.path_ids.data_index = 7;
    built.add_overflow("/c", 1, 1349).item.path_ids.data_index = 7;
    built.add_overflow("/d", 2, 2000).item.path_ids.data_index = 8;
    built.overview.diagnostics = {{Severity::warning, "first_uncertain", "clocks may differ", "时钟可能不同"}};
    const json head = data_of(built)["head"];
    CHECK(head["en"]["first"]["margin"] == "1.349 s before any other rank");
    CHECK(head["zh"]["first"]["remarks"] == json::array({json({"时钟可能不同", "first_uncertain"})}));
}

TEST_CASE("scan html: an operator that is one of two candidates is shown with the other one") {
    BuiltScan built;
    built.add_overflow("/data/a", 0, 0);
    built.set_first("/data/a", "net/Exp");
    LocatedOperator& op = *built.first->location.op;
    op.candidates = {op.best, op.best};
    op.candidates[1].name = "net/Mul";
    const json head = data_of(built)["head"];
    CHECK(head["en"]["first"]["name"] == "net/Exp (Exp)");
    CHECK(head["en"]["first"]["confidence"] == "2 candidates, equally good; or net/Mul (Exp)");
    CHECK(head["zh"]["first"]["confidence"] == "2 个候选，同等可信；或 net/Mul (Exp)");
}

TEST_CASE("scan html: an empty scan and one that ended early have a page") {
    BuiltScan built;
    built.scan.complete = false;
    const json data = data_of(built);
    CHECK(contains(data["head"]["en"]["notice"].get<std::string>(), "The scan was stopped early"));
    CHECK(data["head"]["en"]["none"] == "No overflow was found.");
    CHECK(contains(built.html(), "<p class=\"sub\">No overflow was found.</p>"));
    CHECK(data["rows"].empty());
}

TEST_CASE("scan html: each operator, folder, cause and model is in the data once, each dump is a row of numbers") {
    BuiltScan built;
    built.add_overflow("/run/0/one", 0, 0).item.operator_name = "exp";
    report::ScanEntry& second = built.add_overflow("/run/1/two", 1, 5, {"ai_core.float_overflow", "mine.other"});
    second.item.operator_name = "exp";
    second.item.path_ids.data_index = 4;
    built.add_overflow("/run/1/other", std::nullopt, std::nullopt).item.model = "net";
    const json data = data_of(built);
    CHECK(data["ops"] == json({"exp", ""}));
    CHECK(data["folders"] == json({"/run/0/", "/run/1/"}));
    CHECK(data["causes"][0] == json({"ai_core.float_overflow", "floating-point overflow", "浮点计算溢出", "float"}));
    CHECK(data["models"] == json({"", "net"}));
    // time, step, rank, device, host, origin, operator, causes, model, folder, name
    CHECK(data["rows"][0] ==
          json::parse(fmt::format(R"([{}, null, 0, null, 0, null, 0, [0], 0, 0, "one"])", scan_start_us)));
    CHECK(data["rows"][1] ==
          json::parse(fmt::format(R"([{}, 4, 1, null, 0, null, 0, [0, 1], 0, 1, "two"])", scan_start_us + 5000)));
    CHECK(data["rows"][2] == json::parse(R"([null, null, null, null, 0, null, 1, [0], 1, 1, "other"])"));
}

TEST_CASE("scan html: 20,007 dumps take less than two and a half megabytes") {
    BuiltScan built;
    for (std::uint64_t i = 0; i < 20'007; ++i) {
        const std::uint64_t rank = i % 1000;
        built.add_overflow("/data/rank_" + std::to_string(rank) + "/Opdebug.Node_OpDebug.7." +
                               std::to_string(scan_start_us + i * 100'000),
                           rank, i * 100);
    }
    CHECK(built.html().size() < 2'500'000);
}

TEST_CASE("scan html: clean dumps are listed only when all are asked for") {
    BuiltScan built = hostile_scan();
    CHECK(table_of(data_of(built), "clean").is_null());
    built.options.all = true;
    CHECK(table_of(data_of(built), "clean")["rows"].size() == 4);
    CHECK(data_of(built)["rows"].size() == 24);
    built.options.first = 3;
    CHECK(data_of(built)["rows"].size() == 3);
}

TEST_CASE("scan html: failed dumps and folders have their reason in both languages") {
    const json table = table_of(data_of(hostile_scan()), "failures");
    CHECK(table["rows"].size() == 4);
    CHECK(table["rows"][3][0] == "/data/run/closed");
    CHECK(table["rows"][3][1] == "permission_denied");
    CHECK(table["rows"][3][2][0] == "the folder may not be read");
    CHECK(table["rows"][3][2][1] != "the folder may not be read");
}

TEST_CASE("scan html: chains have the first bad value, and dumps the verdicts; only where asked for") {
    BuiltScan built = hostile_scan();
    const json chains = table_of(data_of(built), "chains");
    REQUIRE(chains["rows"].size() == 1);
    CHECK(contains(chains.dump(), "born here"));
    CHECK(contains(chains.dump(), "在此产生"));
    CHECK(data_of(built)["rows"][1][5] == "born_here");
    built.options.report.tensors = false;
    built.chains = {};
    CHECK(table_of(data_of(built), "chains").is_null());
}
