// opdebug next: the settings of a next run that bring the evidence which a report lacks.
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "command_line/command_line.hpp"
#include "command_line/options.hpp"
#include "commands/commands.hpp"
#include "next/next.hpp"
#include "output/messages.hpp"
#include "output/output.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDumpPath = "./opdebug_next";

/// Writes the files of the next run, none over another one. Returns false after a failure, which is reported.
bool write_files(const next::NextRun& run, const std::string& folder) {
    if (const auto error = make_folder(folder)) {
        print_message(*error);
        return false;
    }
    bool is_complete = true;
    for (const next::SettingsFile& file : run.files) {
        const std::string path = (fs::path(folder) / file.name).string();
        std::error_code ignored;
        if (fs::symlink_status(path, ignored).type() != fs::file_type::not_found) {
            print_phrase("next.exists", {{"path", path}});
            is_complete = false;
        } else if (const auto error = write_file(path, file.body.dump(2) + "\n")) {
            print_message(*error);
            is_complete = false;
        }
    }
    return is_complete;
}

}  // namespace

int next_command(const ParsedArguments& parsed) {
    const ReportOptions report = read_report_options(parsed);
    if (parsed.has("dump-path") && !next::is_json_text(parsed.text("dump-path"))) {
        throw UsageError(sentence("next.dump_path"));
    }
    const std::string& path = parsed.positionals.front();
    const Result<next::Facts> facts = next::read_facts(path, Limits());
    if (!facts) {
        print_message(facts.error());
        return kUsage;
    }
    if (facts->schema.empty()) {
        print_phrase("next.schema_unknown", {{"path", path}});
        return kUsage;
    }
    if (!facts->has_culprit) {
        print_phrase("next.nothing_missing", {{"path", path}});
        return kEverythingHandled;
    }
    const std::string dump_path = parsed.has("dump-path") ? parsed.text("dump-path") : kDumpPath;
    std::error_code ignored;
    const next::NextRun run =
        next::next_run(*facts, {parsed.has("for") ? parsed.text("for") : "", dump_path, parsed.has("all-steps"),
                                fs::absolute(dump_path, ignored).lexically_normal().string()});
    // The report first: a file of its name is then not written over it.
    const int written = show_result(
        parsed.output, parsed.form == "json" ? next::next_to_json(run) + "\n" : next::next_to_text(run, report));
    const bool is_complete = !parsed.has("files") || write_files(run, parsed.text("files"));
    return written != kEverythingHandled       ? written
           : is_complete && !run.files.empty() ? kEverythingHandled
                                               : kSomethingDamaged;
}

}  // namespace opdebug::tool
