// `opdebug explain`: each code that the program can emit has a meaning.
#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "build_paths.hpp"
#include "tool.hpp"

namespace fs = std::filesystem;
using namespace opdebug::test;
using nlohmann::ordered_json;

namespace {

ordered_json explained(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "explain");
    const ProcessResult run = run_tool(std::move(arguments));
    CHECK(run.exit_status == 0);
    return ordered_json::parse(run.out).at("codes");
}

std::set<std::string> explained_codes() {
    std::set<std::string> codes;
    for (const ordered_json& code : explained({})) {
        codes.insert(code.at("code"));
    }
    return codes;
}

/// The first group of each match in the file.
void add_matches(const std::string& file, const std::regex& expression, std::set<std::string>& found) {
    const std::string text = read_file(file);
    for (std::sregex_iterator match(text.begin(), text.end(), expression); match != std::sregex_iterator(); ++match) {
        found.insert((*match)[1]);
    }
}

}  // namespace

TEST_CASE("explain: causes, confidence, verdicts and return codes") {
    const ordered_json cause = explained({"ai_core.float_overflow"});
    REQUIRE(cause.size() == 1);
    CHECK(cause[0]["kind"] == "cause");
    CHECK(cause[0]["name"] == "floating-point overflow");
    CHECK(cause[0]["advice"].get<std::string>().size() > 20);
    for (const auto& pair : {std::pair<std::string, std::string>{"exact", "confidence"},
                             {"born_here", "verdict"},
                             {"task_not_in_logs", "diagnostic"},
                             {"log_level_hides_operators", "finding"},
                             {"file_not_found", "error"}}) {
        CAPTURE(pair.first);
        CHECK(explained({pair.first})[0]["kind"] == pair.second);
    }
    // rt_error_codes.h of the CANN runtime.
    for (const auto& pair : {std::pair<std::string, std::string>{"207003", "ACL_ERROR_RT_AICORE_OVER_FLOW"},
                             {"207016", "ACL_ERROR_RT_AIVEC_OVER_FLOW"},
                             {"0x7bc83", "ACL_ERROR_RT_MODEL_EXECUTE"},
                             {"507011", "ACL_ERROR_RT_MODEL_EXECUTE"},
                             {"507014", "ACL_ERROR_RT_AICORE_TIMEOUT"},
                             {"507015", "ACL_ERROR_RT_AICORE_EXCEPTION"},
                             {"507018", "ACL_ERROR_RT_AICPU_EXCEPTION"},
                             {"507035", "ACL_ERROR_RT_VECTOR_CORE_EXCEPTION"},
                             {"107022", "ACL_ERROR_RT_DEVICE_TASK_ABORT"},
                             {"107035", "ACL_ERROR_RT_TASK_ABORT_STOP"},
                             {"207018", "ACL_ERROR_RT_DEVICE_OOM"},
                             {"507008", "ACL_ERROR_RT_SOC_VERSION"},
                             {"507009", "ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT"},
                             {"507033", "ACL_ERROR_RT_DEV_SETUP_ERROR"},
                             {"507046", "ACL_ERROR_RT_STREAM_SYNC_TIMEOUT"},
                             {"507047", "ACL_ERROR_RT_EVENT_SYNC_TIMEOUT"},
                             {"507048", "ACL_ERROR_RT_FFTS_PLUS_TIMEOUT"},
                             {"507049", "ACL_ERROR_RT_FFTS_PLUS_EXCEPTION"},
                             {"507050", "ACL_ERROR_RT_FFTS_PLUS_TRAP_EXCEPTION"},
                             {"507053", "ACL_ERROR_RT_DEVICE_MEM_ERROR"},
                             {"507054", "ACL_ERROR_RT_HBM_MULTI_BIT_ECC_ERROR"},
                             {"507055", "ACL_ERROR_RT_SUSPECT_DEVICE_MEM_ERROR"},
                             {"507056", "ACL_ERROR_RT_LINK_ERROR"},
                             {"507057", "ACL_ERROR_RT_SUSPECT_REMOTE_ERROR"},
                             {"507904", "ACL_ERROR_RT_COMM_OP_RETRY_FAIL"}}) {
        CAPTURE(pair.first);
        const ordered_json entry = explained({pair.first});
        REQUIRE(entry.size() == 1);
        CHECK(entry[0]["name"] == pair.second);
        CHECK(contains(entry[0]["source"].get<std::string>(), "rt_error_codes.h"));
    }
    CHECK(explained({"exact", "507015"}).size() == 2);
    for (const char* code : {"EE1002", "EI0002", "EL0004", "EZ2001", "EZ9999", "0x10", "0x800000"}) {
        CHECK(explained({code})[0]["kind"] == "log_code");
    }
}

TEST_CASE("explain: an unknown code is wrong usage with a suggestion") {
    const ProcessResult near = run_tool({"explain", "no_log"});
    CHECK(near.exit_status == 2);
    CHECK(near.out.empty());
    CHECK(contains(near.err, "unknown code 'no_log'; did you mean 'no_logs'?"));
    CHECK(contains(run_tool({"explain", "999999999"}).err, "'opdebug explain' lists all codes"));
    CHECK(contains(run_tool({"explain", "507099"}).err, "'opdebug explain' lists all codes"));  // near to others
}

TEST_CASE("explain: each code of the data has an entry") {
    std::set<std::string> codes;
    const std::string root = source_folder;
    for (const auto& entry : fs::directory_iterator(root + "/lib/data/diagnostics")) {
        add_matches(entry.path().string(), std::regex("\"id\": \"([a-z0-9_]+)[.a-z0-9_]*\", \"severity\""), codes);
    }
    const std::size_t of_diagnostics = codes.size();
    for (const auto& entry : fs::directory_iterator(root + "/lib/data/status")) {
        add_matches(entry.path().string(), std::regex("\"code\": \"([a-z_]+)\""), codes);
        add_matches(entry.path().string(), std::regex("\"id\": \"([a-z0-9_]+[.][a-z0-9_]+)\""), codes);
    }
    const std::size_t of_catalogues = codes.size();
    add_matches(root + "/lib/data/doctor/findings.json", std::regex("\"code\": \"([a-z_]+)\""), codes);
    CHECK(of_diagnostics > 100);
    CHECK(of_catalogues > of_diagnostics + 20);
    CHECK(codes.size() > of_catalogues + 50);
    std::string missing;
    const std::set<std::string> known = explained_codes();
    for (const std::string& code : codes) {
        missing += known.count(code) != 0 ? "" : code + " ";
    }
    CHECK(missing == "");
}
