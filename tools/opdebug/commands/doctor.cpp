// opdebug doctor: reports missing data and wrong settings, before or after a run.
#include <cstdlib>
#include <ctime>

#include <opdebug/doctor.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

constexpr const char* kDoctorUsage = "opdebug doctor [PATH]... [options]";

/// The environment variables that the examination uses.
Environment known_environment() {
    Environment environment;
    for (const std::string& name : doctor_variables()) {
        if (const char* value = std::getenv(name.c_str())) {
            environment.emplace_back(name, value);
        }
    }
    return environment;
}

/// Now, UTC microseconds.
std::uint64_t now_us() {
    timespec time{};
    ::clock_gettime(CLOCK_REALTIME, &time);
    return time.tv_sec < 0
               ? 0
               : static_cast<std::uint64_t>(time.tv_sec) * 1'000'000 + static_cast<std::uint64_t>(time.tv_nsec) / 1000;
}

}  // namespace

CommandLine doctor_command_line() {
    CommandLine line;
    line.usage = kDoctorUsage;
    line.summary =
        "Lists what is or will be missing to explain overflows: log levels, dump switches, permissions, disk space,\n"
        "clocks. PATH: a dump path, logs, or a file of dump settings (acl.json). Without PATH: the environment only.";
    line.positionals = {repeated(file_or_folder_value("PATH"))};
    line.options = {form_option({"text", "json"}),
                    {"verbose,v", {}, "text with explanations, sources, codes and whole paths"},
                    {"environment", {}, "with PATH: also check the variables of this shell"}};
    line.options.push_back(limit_option());
    add_report_options(line);
    line.examples = {{"opdebug doctor", "before a run: the settings of this shell"},
                     {"opdebug doctor ~/dump_path ~/ascend/log", "after a run: what the dumps and logs lack"}};
    return line;
}

int doctor_command(const std::vector<std::string>& arguments) {
    catch_interrupts();
    const ParsedArguments parsed = parse_arguments(doctor_command_line(), arguments);
    if (parsed.exit_status) {
        return *parsed.exit_status;
    }
    DoctorOptions options;
    options.paths = parsed.positionals;
    if (options.paths.empty() || parsed.has("environment")) {
        options.environment = known_environment();
    }
    if (const auto message = read_limit_option(parsed, options.limits)) {
        return usage_error(kDoctorUsage, *message);
    }
    const std::optional<std::string> output = output_path(parsed);
    ReportOptions form;
    read_report_options(parsed, form);
    form.verbose = parsed.has("verbose");
    options.now_us = now_us();
    options.host_utc_offset_minutes = system_utc_offset_minutes(options.now_us);
    options.stop = interrupted;
    const DoctorReport report = examine(options);
    const bool as_json = parsed.form == "json";
    const int status =
        show_result(output, as_json ? doctor_to_json(report, form) + "\n" : doctor_to_text(report, form));
    if (!report.complete) {
        say(sentence("doctor.stopped"));
        return interrupted_status();
    }
    return status != kEverythingHandled         ? status
           : report.count(Severity::error) != 0 ? kSomethingDamaged
                                                : kEverythingHandled;
}

}  // namespace opdebug::tool
