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

TEST_CASE("explain: return codes of ACL, GE, aclnn and HCCL have their official names") {
    // aclError of the CANN runtime, ge_error_codes.h, the list of aclnn return codes, and HcclResult.
    for (const auto& pair : {std::pair<std::string, std::string>{"100000", "ACL_ERROR_INVALID_PARAM"},
                             {"507903", "ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED"},
                             {"161002", "ACLNN_ERR_PARAM_INVALID"},
                             {"561103", "ACLNN_ERR_INNER_NULLPTR"},
                             {"hccl:4", "HCCL_E_INTERNAL"},
                             {"hccl.9", "HCCL_E_TIMEOUT"},
                             {"hccl:21", "HCCL_E_REMOTE"}}) {
        CAPTURE(pair.first);
        const ordered_json by_number = explained({pair.first});
        REQUIRE(by_number.size() == 1);
        CHECK(by_number[0]["kind"] == "return_code");
        CHECK(by_number[0]["name"] == pair.second);
        CHECK(explained({pair.second}) == by_number);
    }
}

TEST_CASE("explain: an unknown code of a known family has the family's meaning") {
    for (const auto& pair : {std::pair<std::string, std::string>{"EI0042", "HCCL error"},
                             {"561042", "Return code of an aclnn operator"},
                             {"507099", "Return code of the runtime"},
                             {"0x7020010", "Internal number of the runtime"},
                             {"ERR03042", "torch_npu, graph"},
                             {"E19014", "GE (graph engine) or ATC error"}}) {
        CAPTURE(pair.first);
        const ordered_json entry = explained({pair.first});
        REQUIRE(entry.size() == 1);
        CHECK(entry[0]["code"] == pair.first);
        CHECK(entry[0]["text"].get<std::string>().starts_with(pair.second));
        CHECK(contains(entry[0]["text"].get<std::string>(), "The code itself is not documented here."));
    }
}

TEST_CASE("explain: codes are found in names, marks and log lines") {
    const auto codes_in = [](const std::string& argument) {
        std::string codes;
        for (const ordered_json& code : explained({argument})) {
            codes += (codes.empty() ? "" : " ") + code["code"].get<std::string>();
        }
        return codes;
    };
    CHECK(codes_in("[507015],") == "507015");
    CHECK(codes_in("ei0002") == "EI0002");
    CHECK(codes_in("ret=507018") == "507018");
    CHECK(codes_in("error code is 507015") == "507015");
    CHECK(codes_in("EZ9999: Inner Error!") == "EZ9999");
    CHECK(codes_in("retCode=0x26, [aicore exception]") == "507015");
    CHECK(codes_in("errcode:(0, 0x8000, 0)") == "0x8000");
    CHECK(codes_in("HCCL function error: hcclAllReduce(a, b), error code is 4") == "hccl.4");
    CHECK(codes_in("(PID:6903, Device:0, RankID:-1) ERR00100 PTA call acl api failed") == "ERR00100");
    CHECK(codes_in("EE9999[PID: 107002] 2024-04-24-06:32:27.781.599 failed, ret=507899") == "EE9999 507899");
    for (const char* line : {"unknown error", "[ERROR] HCCL(9,python3):2024-04-24-06:32:27.781 [a.cc:7]"}) {
        CHECK(run_tool({"explain", line}).exit_status == 2);
    }
}

TEST_CASE("explain: unknown codes do not suppress known ones") {
    const ProcessResult run = run_tool({"explain", "no_such_code", "507015", "EI0006", "4"});
    CHECK(run.exit_status == 2);
    CHECK(ordered_json::parse(run.out).at("codes").size() == 2);
    CHECK(contains(run.err, "unknown code 'no_such_code'"));
    CHECK(contains(run.err, "unknown code '4'; for a result of HCCL: opdebug explain hccl:4"));
}

TEST_CASE("explain: an unknown code is wrong usage with a suggestion") {
    const ProcessResult near = run_tool({"explain", "no_log"});
    CHECK(near.exit_status == 2);
    CHECK(near.out.empty());
    CHECK(contains(near.err, "unknown code 'no_log'; did you mean 'no_logs'?"));
    CHECK(contains(run_tool({"explain", "999999999"}).err, "'opdebug explain' lists all codes"));
    // Digits of other codes are no similarity.
    for (const char* code : {"609015", "EH99", "ERR07123"}) {
        CHECK(contains(run_tool({"explain", code}).err, "'opdebug explain' lists all codes"));
    }
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
