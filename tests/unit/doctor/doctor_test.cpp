// The words of findings: the data file, and that the checks use what is in it.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include <nlohmann/json.hpp>

#include "build_paths.hpp"
#include "doctor/checks.hpp"
#include "text.hpp"

using namespace opdebug;
using namespace opdebug::doctor;
using opdebug::test::contains;

namespace {

std::string text_of(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

std::filesystem::path source() {
    return opdebug::test::source_folder;
}

}  // namespace

TEST_CASE("doctor: each check's finding has words, and each finding has a check") {
    const DoctorTexts texts = doctor_texts();
    const auto document = nlohmann::json::parse(text_of(source() / "lib/data/doctor/findings.json"));
    CHECK(texts.findings.size() == document.at("findings").size());  // no code twice
    CHECK(texts.passed.size() == document.at("passed").size());
    std::string checks = text_of(source() / "lib/data/doctor/settings.json");
    for (const auto& file : std::filesystem::directory_iterator(source() / "lib/src/doctor")) {
        checks += text_of(file.path());
    }
    for (const auto& finding : texts.findings) {
        const std::string& code = finding.first;
        CAPTURE(code);
        CHECK(contains(checks, "\"" + code + "\""));
        for (const LocalizedText& text : {finding.second.message, finding.second.source}) {
            CHECK_FALSE(text.en.empty());
            CHECK_FALSE(text.zh.empty());
        }
        CHECK(finding.second.setting.en.empty() == finding.second.setting.zh.empty());
        CHECK(std::regex_search(finding.second.message.zh, std::regex("。$")));
    }
    for (const auto& check : texts.passed) {
        CAPTURE(check.first);
        CHECK(contains(checks, "findings.pass(\"" + check.first + "\""));
        CHECK(std::regex_search(check.second.message.zh, std::regex("。$")));
    }
    // The first argument of add(), and of a local function that calls it, has the code or a choice of codes.
    const std::regex added(R"re(\b(?:add|tell)\(([^,]*),)re"), word(R"re("([a-z_]+)")re");
    std::size_t count = 0;
    for (std::sregex_iterator at(checks.begin(), checks.end(), added), end; at != end; ++at) {
        const std::string argument = (*at)[1];
        for (std::sregex_iterator code(argument.begin(), argument.end(), word); code != end; ++code, ++count) {
            CAPTURE(argument);
            CHECK(texts.findings.count((*code)[1]) == 1);
        }
    }
    CHECK(count > 40);
    const std::regex passed(R"re(findings\.pass\(\s*"([a-z_]+)")re");
    std::size_t passes = 0;
    for (std::sregex_iterator at(checks.begin(), checks.end(), passed), end; at != end; ++at, ++passes) {
        const std::string check = (*at)[1];
        CAPTURE(check);
        CHECK(texts.passed.count(check) == 1);
    }
    CHECK(passes >= texts.passed.size());
}

TEST_CASE("doctor: rules for settings have known keys and findings") {
    const std::set<std::string> known{"member", "when", "unless", "finding", "severity",  "wanted",
                                      "type",   "set",  "unset",  "count",   "only",      "none",
                                      "any",    "all",  "ranges", "begins",  "characters"};
    const DoctorTexts texts = doctor_texts();
    const auto document = nlohmann::json::parse(text_of(source() / "lib/data/doctor/settings.json"));
    nlohmann::json tables = document.at("tables");
    tables.push_back(document.at("environment"));
    for (const auto& table : tables) {
        CHECK(!table.at("source").get<std::string>().empty());
        std::set<std::string> marks;
        const nlohmann::json shared = table.value("marks", nlohmann::json::object());
        for (const auto& mark : shared.items()) {
            marks.insert(mark.key());
        }
        for (const auto& row : table.at("rows")) {
            CAPTURE(row.dump());
            for (const auto& key : row.items()) {
                CHECK(known.count(key.key()) == 1);
            }
            CHECK(texts.findings.count(row.value("finding", "settings_refused")) == 1);
            CHECK((row.contains("finding") || row.size() > 1));
            for (const char* const conditions : {"when", "unless"}) {
                const nlohmann::json all = row.value(conditions, nlohmann::json::object());
                for (const auto& condition : all.items()) {
                    CHECK((condition.key().front() != '@' || marks.count(condition.key()) == 1));
                    const bool is_word = condition.value() == "set" || condition.value() == "list";
                    CHECK((is_word || condition.value().is_array() || condition.value().contains("contains")));
                }
            }
        }
    }
}

TEST_CASE("doctor: sizes for people") {
    CHECK(show_bytes(1023) == "1023 bytes");
    CHECK(show_bytes(1536) == "1.5 KiB");
    CHECK(show_bytes(std::uint64_t{1} << 40U) == "1.0 TiB");
}

TEST_CASE("doctor: stops when it is asked to, and tells") {
    DoctorOptions options;
    options.paths = {source() / "testdata"};
    options.stop = [] { return true; };
    const DoctorReport report = examine(options);
    CHECK_FALSE(report.complete);
    CHECK(report.counts.dumps == 0);
    CHECK_FALSE(report.environment_examined);
}
