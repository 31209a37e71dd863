// opdebug doctor: reports missing data and wrong settings, before or after a run.
#include <cstdlib>

#include <opdebug/doctor.hpp>
#include <opdebug/report.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

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

}  // namespace

int doctor_command(const ParsedArguments& parsed) {
    catch_interrupts();
    DoctorOptions options;
    options.paths = parsed.positionals;
    if (options.paths.empty() || parsed.has("environment")) {
        options.environment = known_environment();
    }
    options.limits = read_limits(parsed);
    const ReportOptions form = read_report_options(parsed);
    options.stop = interrupted;
    const DoctorReport report = examine(options);
    const int status = show_result(
        parsed.output, parsed.form == "json" ? doctor_to_json(report, form) + "\n" : doctor_to_text(report, form),
        report.count(Severity::error) != 0 ? kSomethingDamaged : kEverythingHandled);
    if (!report.complete) {
        print_phrase("doctor.stopped");
        return interrupted_status();
    }
    return status;
}

}  // namespace opdebug::tool
