// The HTML page of a scan as text: everything escaped, nothing from outside, the data that its script draws. tests/html
// opens it in a browser.
#include <string>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "report/html/scan_html.hpp"
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

TEST_CASE("scan html: text is escaped for elements and attributes") {
    CHECK(report::html_page::html("<a b=\"c\" d='e'> & \x1b \xff") ==
          "&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt; &amp; \\x1b \\xff");
}

TEST_CASE("scan html: names of files and operators never become markup") {
    const std::string page = hostile_scan().html();
    CHECK(count_of(page, "<script") == 3);  // words, data, program
    CHECK(count_of(page, "</script") == 3);
    CHECK(count_of(page, "<img") == 0);
    CHECK(count_of(page, "</title>") == 1);
    const std::string markup = page.substr(0, page.find("id=\"data\">"));
    CHECK_FALSE(contains(markup, "\" onmouseover="));
    CHECK_FALSE(contains(markup, "' autofocus"));
    CHECK(contains(page, "&lt;script&gt;document.title=&#39;ran&#39;&lt;/script&gt;"));
    CHECK_FALSE(contains(page, "\x1b"));
    CHECK_FALSE(contains(data_text(page), "<"));
    // As the script reads them.
    const json data = data_of(hostile_scan());
    CHECK(contains(data["folders"].dump(), "<script>document.title='ran'<"));
    CHECK(contains(data["names"].dump(), R"(\\x1b[31mred\\x1b[0m \\xff\\xfe)"));
    CHECK(contains(data["ops"].dump(), R"(x\" onmouseover=\"document.title='ran' (Exp))"));
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

TEST_CASE("scan html: both languages are there, the asked one is shown first") {
    BuiltScan built = hostile_scan();
    CHECK(contains(built.html(), "<html lang=\"en\">"));
    built.options.report.language = Language::chinese;
    const std::string page = built.html();
    CHECK(contains(page, "<html lang=\"zh\">"));
    for (const char* part :
         {"FIRST OVERFLOW", "首个溢出", "floating-point overflow", "浮点计算溢出", "24 overflows in 31 dumps",
          "31 个 dump 中有 24 个溢出", "<title>opdebug 扫描：31 个 dump 中有 24 个溢出</title>"}) {
        CHECK_MESSAGE(contains(page, part), part);
    }
}

TEST_CASE("scan html: one of a thing is singular") {
    BuiltScan built;
    built.add_overflow("/data/rank_0/a", 0, 0);
    const std::string one = built.html();
    CHECK(contains(one, "1 overflow in 1 dump · 1 rank"));
    CHECK(contains(one, "1 个 dump 中有 1 个溢出 · 1 个 rank"));
    built.add_overflow("/data/rank_1/b", 1, 2000);
    CHECK(contains(built.html(), "2 overflows in 2 dumps · 2 ranks"));
}

TEST_CASE("scan html: without scripts the first overflow and the first operators are there") {
    const std::string page = hostile_scan().html();
    CHECK(contains(page, "<h1>net/layer_3/attention/softmax/Exp (Exp)</h1>"));
    CHECK(contains(page, "<b>rank 0</b> · device 0 · toy_net · step 0 · 2026-03-04 10:00:05.000 (+00:00)"));
    CHECK(contains(page, "<tr><td>net/layer_3/attention/softmax/Cast (Cast)</td>"));
    CHECK(contains(page, "<td>8</td><td>1,3</td><td>0,2</td><td>2026-03-04 10:00:05.731 (+00:00)</td></tr>"));
}

TEST_CASE("scan html: the margin to the next rank of any step, with a doubt where the scan has one") {
    BuiltScan built;
    built.add_overflow("/a", 3, 0).item.path_ids.data_index = 7;
    built.add_overflow("/b", 3, 10).item.path_ids.data_index = 7;
    built.add_overflow("/c", 1, 1349).item.path_ids.data_index = 7;
    built.add_overflow("/d", 2, 2000).item.path_ids.data_index = 8;
    CHECK(contains(built.html(), "<span class=\"sure\">— 1.349 s before any other rank</span>"));
    built.overview.diagnostics = {{Severity::warning, "first_uncertain", "clocks may differ", "时钟可能不同"}};
    CHECK(contains(built.html(), "<span class=\"unsure\">— 1.349 s before any other rank</span>"));
    CHECK(contains(built.html(), "clocks may differ"));
    CHECK(contains(built.html(), "时钟可能不同"));
}

TEST_CASE("scan html: an operator that is one of two candidates is shown with the other one") {
    BuiltScan built;
    built.add_overflow("/data/a", 0, 0);
    built.set_first("/data/a", "net/Exp");
    LocatedOperator& op = *built.first->location.op;
    op.candidates = {op.best, op.best};
    op.candidates[1].name = "net/Mul";
    const std::string page = built.html();
    CHECK(contains(page, "<h1>net/Exp (Exp)</h1>\n<p class=\"sub\">2 candidates, equally good; or net/Mul (Exp)</p>"));
    CHECK(contains(page, "2 个候选，同等可信；或 net/Mul (Exp)"));
}

TEST_CASE("scan html: an empty scan and one that ended early have a page") {
    BuiltScan built;
    built.scan.complete = false;
    const std::string page = built.html();
    CHECK(contains(page, "The scan was stopped early"));
    CHECK(contains(page, "No overflow was found."));
    CHECK(contains(page, "</html>"));
    CHECK(data_of(built)["rows"]["time"].empty());
}

TEST_CASE("scan html: each operator, folder, cause and model is in the data once, each dump is a number in columns") {
    BuiltScan built;
    const std::string time = std::to_string(scan_start_us), later = std::to_string(scan_start_us + 5000);
    built.add_overflow("/run/0/Opdebug.Node.1." + time, 0, 0).item.operator_name = "exp";
    report::ScanEntry& second =
        built.add_overflow("/run/1/Opdebug.Node.1." + later, 1, 5, {"ai_core.float_overflow", "mine.other"});
    second.item.operator_name = "exp";
    second.item.path_ids.data_index = 4;
    built.add_overflow("/run/1/other", std::nullopt, std::nullopt).item.model = "net";
    const json data = data_of(built);
    CHECK(data["base"] == scan_start_us);
    CHECK(data["ops"] == json({"exp", ""}));
    CHECK(data["folders"] == json({"/run/0/", "/run/1/"}));
    CHECK(data["names"] == json({"Opdebug.Node.1.", "other"}));
    CHECK(data["sets"] == json({"0", "0,1"}));
    CHECK(data["causes"][0] == json({"ai_core.float_overflow", "floating-point overflow", "浮点计算溢出", "float"}));
    CHECK(data["models"] == json({"", "net"}));
    const json& rows = data["rows"];
    CHECK(rows["time"] == json({0, 5000, nullptr}));
    CHECK(rows["step"] == json({nullptr, 4, nullptr}));
    CHECK(rows["rank"] == json({0, 1, nullptr}));
    CHECK(rows["op"] == json({0, 0, 1}));
    CHECK(rows["set"] == json({0, 1, 0}));
    CHECK(rows["folder"] == json({0, 1, 1}));
    CHECK(rows["name"] == json({1, 1, 2}));  // odd: the time follows
}

TEST_CASE("scan html: 20,007 dumps take less than a megabyte and a half") {
    BuiltScan built;
    for (std::uint64_t i = 0; i < 20'007; ++i) {
        const std::uint64_t rank = i % 1000;
        built.add_overflow("/data/rank_" + std::to_string(rank) + "/Opdebug.Node_OpDebug.7." +
                               std::to_string(scan_start_us + i * 100'000),
                           rank, i * 100);
    }
    CHECK(data_of(built)["rows"]["rank"].size() == 20'007);
    CHECK(built.html().size() < 1'500'000);
}

TEST_CASE("scan html: clean dumps are listed only when all are asked for") {
    BuiltScan built = hostile_scan();
    CHECK(table_of(data_of(built), "clean").is_null());
    built.options.all = true;
    CHECK(table_of(data_of(built), "clean")["rows"].size() == 4);
    CHECK(data_of(built)["rows"]["time"].size() == 24);
    built.options.first = 3;
    CHECK(data_of(built)["rows"]["time"].size() == 3);
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
    CHECK(data_of(built)["rows"]["origin"][1] == 0);
    built.options.report.tensors = false;
    built.chains = {};
    CHECK(table_of(data_of(built), "chains").is_null());
}
