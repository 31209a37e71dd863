// opdebug formats: shows the known log lines, and checks definitions of the user.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <opdebug/log_lines.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"
#include "report/json/json_parts.hpp"

namespace opdebug::tool {
namespace {

struct Request {
    std::string action = "list";
    std::vector<std::string> names;  ///< arguments of show and check
    bool json = false;
    std::vector<NamedText> files;  ///< files of --log-formats
    std::optional<std::string> output;
    ReportOptions report;
    Limits limits;
};

Request read_request(const ParsedArguments& arguments) {
    Request request;
    const std::vector<std::string>& words = arguments.positionals;
    if (!words.empty()) {
        request.action = words.front();
        request.names.assign(words.begin() + 1, words.end());
    }
    request.json = arguments.form == "json";
    if (request.action != "list" && request.action != "show" && request.action != "check" && request.action != "try") {
        throw UsageError(sentence("formats.action", {{"action", request.action}}));
    }
    request.output = arguments.output;
    request.report = read_report_options(arguments);
    request.limits = read_limits(arguments);
    request.files = read_log_formats(arguments, request.limits);
    return request;
}

std::string joined(const std::vector<std::string>& items) {
    return fmt::format("{}", fmt::join(items, ", "));
}

int list(const Request& request, const std::vector<LogFormatInfo>& formats) {
    return show_result(request.output, request.json ? log_formats_to_json(formats, request.report) + "\n"
                                                    : log_formats_to_text(formats, request.report));
}

int show(const Request& request, const std::vector<LogFormatInfo>& formats) {
    const std::string& name = request.names.front();
    const std::vector<LogFormatInfo> named = log_formats_named(formats, name);
    if (named.empty()) {
        const std::vector<std::string> near = near_log_format_names(formats, name);
        const std::string hint =
            near.empty() ? sentence("formats.all_names") : sentence("formats.near_names", {{"names", joined(near)}});
        throw UsageError(sentence("formats.no_format", {{"name", name}, {"hint", hint}}));
    }
    if (request.json) {
        return show_result(request.output, log_formats_to_json(named, request.report) + "\n");
    }
    std::string text;
    for (const LogFormatInfo& format : named) {
        text += (text.empty() ? "" : "\n") + log_format_to_text(format, request.report);
    }
    return show_result(request.output, text);
}

/// Checks a file, or each file of a folder, as --log-formats accepts both.
std::vector<LogFormatCheck> check_path(const std::string& path, const Request& request) {
    const Result<std::vector<NamedText>> files = read_log_format_files(path, request.limits);
    if (!files) {
        return {{path, files.error()}};
    }
    std::vector<LogFormatCheck> checks;
    checks.reserve(files->size());
    for (const NamedText& file : *files) {
        checks.push_back({file.name, check_log_format_file(file, request.files, request.limits)});
    }
    return checks;
}

int check(const Request& request) {
    std::vector<LogFormatCheck> checks;
    for (const std::string& path : request.names) {
        std::vector<LogFormatCheck> further = check_path(path, request);
        std::move(further.begin(), further.end(), std::back_inserter(checks));
    }
    std::string text;
    bool sound = true, found_any = false;
    for (const LogFormatCheck& item : checks) {
        text += request.json ? "" : log_format_check_to_text(item);
        sound = sound && item.result.ok();
        found_any = found_any || item.result.ok() || item.result.error().code != ErrorCode::file_not_found;
    }
    return show_result(request.output, request.json ? log_format_checks_to_json(checks, request.report) + "\n" : text,
                       sound       ? kEverythingHandled
                       : found_any ? kSomethingDamaged
                                   : kUsage);
}

int try_on_log(const Request& request) {
    const std::string& log = request.names.back();
    const Result<std::vector<NamedText>> files = read_log_format_files(request.names.front(), request.limits);
    if (!files || files->size() != 1) {
        print_message(files ? sentence("formats.one_file", {{"file", request.names.front()}})
                            : sentence(files.error()));
        return kUsage;
    }
    const Result<LogFormatTrial> trial = try_log_formats(files->front(), log, request.limits);
    if (!trial) {
        print_message(trial.error());
        return trial.error().code == ErrorCode::file_not_found ? kUsage : kSomethingDamaged;
    }
    return show_result(request.output,
                       request.json ? report::format_trial_to_json(files->front(), log, *trial, request.report) + "\n"
                                    : report::format_trial_to_text(log, *trial));
}

}  // namespace

int formats_command(const ParsedArguments& arguments) {
    const Request request = read_request(arguments);
    if (request.action == "check" || request.action == "try") {
        return request.action == "check" ? check(request) : try_on_log(request);
    }
    const Result<std::vector<LogFormatInfo>> formats = list_log_formats(request.files, request.limits);
    if (!formats) {  // cannot fail: checked before
        print_message(formats.error());
        return kUsage;
    }
    return request.action == "show" ? show(request, *formats) : list(request, *formats);
}

}  // namespace opdebug::tool
