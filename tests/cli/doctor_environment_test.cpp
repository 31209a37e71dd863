// `opdebug doctor` of the environment: what hides operators, and what to set.
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "doctor_findings.hpp"
#include "text.hpp"

using namespace opdebug::test;

namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;
using Set = std::set<std::string>;

/// Nothing is missing with these.
Variables good_environment(const std::string& folder) {
    return {{"ASCEND_GLOBAL_LOG_LEVEL", "1"},
            {"ASCEND_MODULE_LOG_LEVEL", ""},
            {"ASCEND_GLOBAL_EVENT_ENABLE", ""},
            {"ASCEND_HOST_LOG_FILE_NUM", "1000"},
            {"ASCEND_LOG_SYNC_SAVE", ""},
            {"ASCEND_SLOG_PRINT_TO_STDOUT", ""},
            {"ASCEND_LOG_PRINT_TO_STDOUT", ""},
            {"ASCEND_PROCESS_LOG_PATH", folder},
            {"ASCEND_WORK_PATH", ""},
            {"INF_NAN_MODE_ENABLE", ""},
            {"INF_NAN_MODE_FORCE_DISABLE", "1"},
            {"FORCE_OVERFLOW_CHECK", ""},
            {"ASCEND_HOME_PATH", ""},
            {"MINDSPORE_DUMP_CONFIG", ""},
            {"TORCH_ACL_INIT_CONFIG_PATH", ""},
            {"MS_ASCEND_CHECK_OVERFLOW_MODE", ""},
            {"NPU_ASD_ENABLE", ""},
            {"NPU_COLLECT_PATH", ""},
            {"GLOBAL_LOG_LEVEL", ""},
            {"ASCEND_LOG_LEVEL", ""},
            {"ASCEND_SLOG_LEVEL", ""}};
}

/// The environment with some variables changed.
ProcessResult examine_environment(const std::string& folder, const Variables& changed) {
    ProcessOptions options;
    options.environment = good_environment(folder);
    for (const auto& [name, value] : changed) {
        for (auto& variable : options.environment) {
            variable.second = variable.first == name ? value : variable.second;
        }
    }
    return run_tool({"doctor", "--format", "json"}, options);
}

}  // namespace

TEST_CASE("doctor: the environment") {
    const TemporaryDirectory directory;
    const std::string folder = directory / "";
    struct Case {
        Variables changed;
        Set findings;
        int exit_status;
    };
    const Set good{"info log_folder", "info saturation_mode", "info inf_nan_variables_ignored"};
    const auto with = [&good](const Set& more) {
        Set all = good;
        all.insert(more.begin(), more.end());
        return all;
    };
    const std::string off =
        write_file(directory / "acl", "{\"dump\": {\"dump_debug\": \"off\", \"dump_path\": \"" + folder + "\"}}");
    const Case cases[] = {
        {{}, good, 0},
        {{{"ASCEND_GLOBAL_LOG_LEVEL", ""}}, with({"error log_level_hides_operators"}), 1},
        {{{"ASCEND_GLOBAL_LOG_LEVEL", "3"}}, with({"error log_level_hides_operators"}), 1},
        {{{"ASCEND_GLOBAL_LOG_LEVEL", "0"}}, good, 0},
        {{{"ASCEND_GLOBAL_LOG_LEVEL", "info"}},
         with({"warning log_level_unreadable", "error log_level_hides_operators"}),
         1},
        // The levels of modules win over the global one, either way.
        {{{"ASCEND_MODULE_LOG_LEVEL", "RUNTIME=3:GE=3"}}, with({"error log_level_hides_operators"}), 1},
        {{{"ASCEND_MODULE_LOG_LEVEL", "GE=2"}}, with({"warning log_level_hides_nodes"}), 0},
        {{{"ASCEND_MODULE_LOG_LEVEL", "RUNTIME=2"}}, with({"warning log_level_hides_kernels"}), 0},
        {{{"ASCEND_GLOBAL_LOG_LEVEL", ""}, {"ASCEND_MODULE_LOG_LEVEL", "RUNTIME=1:GE=0"}},
         with({"info log_level_hides_types", "info log_lines_may_be_lost"}),
         0},
        {{{"ASCEND_GLOBAL_LOG_LEVEL", ""},
          {"ASCEND_MODULE_LOG_LEVEL", "RUNTIME=1:GE=0:CCECPU=1:IDEDD=1"},
          {"ASCEND_LOG_SYNC_SAVE", "1"}},
         good,
         0},
        {{{"ASCEND_MODULE_LOG_LEVEL", "RUNTIME1:GE=7"}}, with({"warning module_level_unreadable"}), 0},
        {{{"ASCEND_GLOBAL_EVENT_ENABLE", "0"}}, with({"warning events_off"}), 0},
        {{{"ASCEND_HOST_LOG_FILE_NUM", ""}}, with({"warning log_files_rotate_away"}), 0},
        {{{"ASCEND_HOST_LOG_FILE_NUM", "1001"}}, with({"warning log_files_rotate_away"}), 0},
        {{{"ASCEND_SLOG_PRINT_TO_STDOUT", "1"}}, with({"warning logs_to_standard_output"}), 0},
        {{{"ASCEND_PROCESS_LOG_PATH", write_file(directory / "file", "x")}}, with({"error not_a_folder"}), 1},
        {{{"ASCEND_PROCESS_LOG_PATH", directory / "file/below"}}, with({"error not_a_folder"}), 1},
        // MindSpore's env_var_list.rst; msprobe's faq.md; names that mmpa_linux_env.c of CANN does not have.
        {{{"MS_ASCEND_CHECK_OVERFLOW_MODE", "SATURATION_MODE"}}, with({"info mindspore_saturation_mode"}), 0},
        {{{"MS_ASCEND_CHECK_OVERFLOW_MODE", "INFNAN_MODE"}}, good, 0},
        {{{"NPU_ASD_ENABLE", "1"}}, with({"warning asd_hides_calls"}), 0},
        {{{"NPU_ASD_ENABLE", "0"}}, good, 0},
        // CANN's documents: with it only exceptions are dumped.
        {{{"NPU_COLLECT_PATH", folder}}, with({"error exception_dump_only"}), 1},
        {{{"GLOBAL_LOG_LEVEL", "1"}}, with({"warning variable_not_read"}), 0},
        {{{"ASCEND_LOG_LEVEL", "1"}}, with({"warning variable_not_read"}), 0},
        // Variables that name dump settings.
        {{{"MINDSPORE_DUMP_CONFIG", "/nowhere/dump.json"}},
         with({"info settings_in_other_file", "error path_missing"}),
         1},
        {{{"TORCH_ACL_INIT_CONFIG_PATH", off}}, with({"info settings_in_other_file", "error overflow_dump_off"}), 1},
    };
    for (const Case& one : cases) {
        CAPTURE(one.changed.empty() ? "nothing" : one.changed[0].first + "=" + one.changed[0].second);
        const ProcessResult run = examine_environment(folder, one.changed);
        CHECK(findings_of(run) == listed(one.findings));
        CHECK(run.exit_status == one.exit_status);
    }
}

TEST_CASE("doctor: the mode of arithmetic and overflow registers") {
    const TemporaryDirectory directory;
    // By the values of the three variables.
    const auto examined = [&](const char* enable, const char* force_disable, const char* force_check) {
        const ProcessResult run = examine_environment(directory / "", {{"INF_NAN_MODE_ENABLE", enable},
                                                                       {"INF_NAN_MODE_FORCE_DISABLE", force_disable},
                                                                       {"FORCE_OVERFLOW_CHECK", force_check}});
        return std::pair(findings_of(run), run.out);
    };
    const std::string on = "warning inf_nan_mode", refused = "error inf_nan_mode_refused",
                      ignored = "info inf_nan_variables_ignored", saturated = "info saturation_mode",
                      unreadable = "error inf_nan_mode_unreadable";
    struct Case {
        const char *enable, *force_disable, *force_check;
        Set findings;
    };
    for (const Case& one : std::vector<Case>{{"", "", "", {on}},
                                             {"1", "0", "", {on}},
                                             {"1", "", "", {on}},
                                             {"", "0", "", {on}},
                                             {"0", "", "", {refused, ignored}},
                                             {"0", "0", "", {refused, ignored}},
                                             {"", "1", "", {saturated, ignored}},
                                             {"1", "1", "", {saturated, ignored}},
                                             {"0", "1", "", {saturated, ignored}},
                                             {"yes", "", "", {unreadable}},
                                             {"0", "2", "", {unreadable}},
                                             {"", "", "1", {on, "info force_overflow_check"}},
                                             {"", "1", "1", {saturated, ignored, "info force_overflow_check"}},
                                             {"", "", "2", {on, "warning force_overflow_check_value"}},
                                             {"", "", "true", {on, "warning force_overflow_check_value"}}}) {
        CAPTURE(one.enable);
        CAPTURE(one.force_disable);
        CAPTURE(one.force_check);
        Set findings = one.findings;
        findings.insert("info log_folder");
        CHECK(examined(one.enable, one.force_disable, one.force_check).first == listed(findings));
    }
    CHECK(contains(examined("0", "", "").second, "Ascend 950 ignores INF_NAN_MODE_ENABLE: "));
    CHECK(contains(examined("", "", "1").second, "if CANN is 9.1.0 or newer; an older CANN ignores the variable"));
    CHECK(contains(examined("1", "1", "").second, "Ascend 950 ignores INF_NAN_MODE_FORCE_DISABLE: "));
}

TEST_CASE("doctor: one module's level is, those of several are above INFO") {
    const TemporaryDirectory directory;
    const auto text_with = [&directory](const char* modules) {
        ProcessOptions options;
        options.environment = good_environment(directory / "");
        options.environment[1].second = modules;
        return run_tool({"doctor", "--format", "text"}, options).out;
    };
    CHECK(contains(text_with("GE=2"), "the log level is above INFO for GE (WARNING)"));
    CHECK(contains(text_with("CCECPU=3:IDEDD=3"), "the log levels are above INFO for CCECPU, IDEDD (ERROR)"));
    CHECK(contains(text_with("RUNTIME=2:GE=3"), "the log levels are above INFO for RUNTIME, GE (WARNING, ERROR)"));
}
