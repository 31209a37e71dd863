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
    return {
        {"ASCEND_GLOBAL_LOG_LEVEL", "1"},     {"ASCEND_MODULE_LOG_LEVEL", ""},     {"ASCEND_GLOBAL_EVENT_ENABLE", ""},
        {"ASCEND_HOST_LOG_FILE_NUM", "1000"}, {"ASCEND_LOG_SYNC_SAVE", ""},        {"ASCEND_SLOG_PRINT_TO_STDOUT", ""},
        {"ASCEND_LOG_PRINT_TO_STDOUT", ""},   {"ASCEND_PROCESS_LOG_PATH", folder}, {"ASCEND_WORK_PATH", ""},
        {"INF_NAN_MODE_ENABLE", "0"},         {"INF_NAN_MODE_FORCE_DISABLE", "1"}};
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
    const Set good{"info log_folder", "info saturation_mode"};
    const auto with = [&good](const Set& more) {
        Set all = good;
        all.insert(more.begin(), more.end());
        return all;
    };
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
        {{{"ASCEND_HOST_LOG_FILE_NUM", "1001"}},
         with({"warning log_file_number_unreadable", "warning log_files_rotate_away"}),
         0},
        {{{"ASCEND_SLOG_PRINT_TO_STDOUT", "1"}}, {"info saturation_mode", "warning logs_to_standard_output"}, 0},
        {{{"INF_NAN_MODE_ENABLE", ""}}, {"info log_folder", "warning inf_nan_mode"}, 0},
        {{{"INF_NAN_MODE_FORCE_DISABLE", ""}}, {"info log_folder", "warning inf_nan_mode_kept"}, 0},
        {{{"INF_NAN_MODE_ENABLE", "yes"}},
         {"info log_folder", "warning inf_nan_mode", "warning inf_nan_mode_unreadable"},
         0},
        {{{"INF_NAN_MODE_FORCE_DISABLE", "2"}},
         {"info log_folder", "warning inf_nan_mode_kept", "warning inf_nan_mode_unreadable"},
         0},
        {{{"ASCEND_PROCESS_LOG_PATH", "/proc/x"}}, with({"error folder_of_kernel"}), 1},
        {{{"ASCEND_PROCESS_LOG_PATH", write_file(directory / "file", "x")}}, with({"error not_a_folder"}), 1},
        {{{"ASCEND_PROCESS_LOG_PATH", directory / "file/below"}}, with({"error not_a_folder"}), 1},
    };
    for (const Case& one : cases) {
        CAPTURE(one.changed.empty() ? "nothing" : one.changed[0].first + "=" + one.changed[0].second);
        const ProcessResult run = examine_environment(folder, one.changed);
        CHECK(findings_of(run) == listed(one.findings));
        CHECK(run.exit_status == one.exit_status);
    }
}

TEST_CASE("doctor: text has the gravest first, with what to set and where that comes from") {
    const TemporaryDirectory directory;
    ProcessOptions options;
    options.environment = good_environment(directory / "");
    options.environment[0].second = "3";
    const ProcessResult run = run_tool({"doctor"}, options);
    CHECK(run.exit_status == 1);
    CHECK(run.out.rfind("error [log_level_hides_operators] ", 0) == 0);
    CHECK(contains(run.out, "\n    set: ASCEND_GLOBAL_LOG_LEVEL=1, or at least ASCEND_MODULE_LOG_LEVEL="));
    CHECK(contains(run.out, "\n    source: CANN documentation"));
    CHECK(contains(run.out, "\n1 error, "));
}

TEST_CASE("doctor: one module's level is, those of several are above INFO") {
    const TemporaryDirectory directory;
    const auto text_with = [&directory](const char* modules) {
        ProcessOptions options;
        options.environment = good_environment(directory / "");
        options.environment[1].second = modules;
        return run_tool({"doctor"}, options).out;
    };
    CHECK(contains(text_with("GE=2"), "the log level is above INFO for GE (WARNING)"));
    CHECK(contains(text_with("CCECPU=3:IDEDD=3"), "the log levels are above INFO for CCECPU and IDEDD (ERROR)"));
    CHECK(
        contains(text_with("RUNTIME=2:GE=3"), "the log levels are above INFO for RUNTIME and GE (WARNING and ERROR)"));
}
