// The set of log formats: loading, the checks across entries, and the search for the format of a line.
#include "logs/formats.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "embedded/log_formats_data.hpp"
#include "logs/format_file.hpp"
#include "logs/format_links.hpp"
#include "logs/format_match.hpp"

namespace opdebug::logs {

struct ModuleFormats {
    std::vector<const CompiledFormat*> formats;
    LiteralSearch literals;  ///< of the formats, in their order
};

struct LogFormats::Implementation {
    std::vector<CompiledFormat> formats;
    std::map<std::string, std::vector<const CompiledFormat*>, std::less<>> by_module;
    /// Without the formats that state nothing: no line is run against them.
    std::map<std::string, ModuleFormats, std::less<>> stating;
};

namespace {

using Candidates = std::vector<const CompiledFormat*>;

std::optional<Error> check_ids(const std::vector<CompiledFormat>& formats) {
    std::map<std::string_view, const CompiledFormat*> by_id;
    for (const CompiledFormat& format : formats) {
        const auto [earlier, is_new] = by_id.emplace(format.definition.id, &format);
        if (!is_new) {
            return format_error(format.definition, "id",
                                fmt::format("is used before, in {}", earlier->second->definition.file),
                                "give every log format its own id");
        }
    }
    return std::nullopt;
}

bool contains(const std::vector<std::string>& list, std::string_view item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

/// What keeps the format from reading its own sample: the reason and the remedy.
std::optional<std::pair<std::string, std::string>> own_fault(const CompiledFormat& format,
                                                             const std::optional<LogLine>& line) {
    const FormatDefinition& definition = format.definition;
    if (!line) {
        return std::pair{"is no log line", "begin it with [LEVEL] MODULE(PID,NAME):TIME"};
    }
    if (!contains(definition.modules, line->module)) {
        return std::pair{fmt::format("is of module \"{}\"", line->module), "add the module or correct the sample"};
    }
    if (!definition.functions.empty() && !contains(definition.functions, line->function)) {
        return std::pair{fmt::format("is of function \"{}\"", line->function),
                         "add the function or correct the sample"};
    }
    if (!may_match(format, *line)) {
        return std::pair{fmt::format("does not hold the literal \"{}\" in its text, which stands behind the prefix",
                                     definition.literal),
                         "correct the literal or the sample"};
    }
    std::optional<Diagnostic> diagnostic;
    StepsLeft steps(line->text.size());
    Fact fact;
    if (!read_fact(format, *line, steps, fact, &diagnostic)) {
        if (diagnostic && diagnostic->code == kLineCutInNumber) {
            return std::pair{"ends in a number, a part of which may be cut off in such a line",
                             "let the sample end elsewhere: lines that are cut inside a number are not read"};
        }
        return std::pair{diagnostic ? "makes the pattern give up" : "is not read by the pattern (or is ignored)",
                         "correct the pattern, the ignore rules or the sample"};
    }
    return std::nullopt;
}

std::optional<Error> check_samples(const CompiledFormat& format,
                                   const std::map<std::string, Candidates, std::less<>>& by_module) {
    for (std::size_t index = 0; index < format.definition.samples.size(); ++index) {
        const std::string member = fmt::format("samples[{}]", index);
        std::optional<LogLine> line = parse_line(format.definition.samples[index]);
        if (line && format.definition.cut_lines) {
            line->may_be_cut = true;  // samples need not be that long
        }
        if (const auto fault = own_fault(format, line)) {
            return format_error(format.definition, member, fault->first, fault->second);
        }
        for (const CompiledFormat* other : by_module.find(line->module)->second) {
            StepsLeft steps(line->text.size());
            Fact fact;
            if (other != &format && may_match(*other, *line) && read_fact(*other, *line, steps, fact, nullptr)) {
                // The fault is told of the one that came later: a user's format, not the built-in one beside it.
                if (&format < other) {
                    return format_error(other->definition, "pattern",
                                        fmt::format("reads a sample of \"{}\" of {} as well: {}", format.definition.id,
                                                    format.definition.file, format.definition.samples[index]),
                                        "make the patterns exclude each other");
                }
                return format_error(
                    format.definition, member,
                    fmt::format("is read by \"{}\" of {} as well", other->definition.id, other->definition.file),
                    "make the patterns exclude each other");
            }
        }
    }
    return std::nullopt;
}

std::optional<Error> check_all_samples(const std::vector<CompiledFormat>& formats,
                                       const std::map<std::string, Candidates, std::less<>>& by_module) {
    for (const CompiledFormat& format : formats) {
        if (std::optional<Error> error = check_samples(format, by_module)) {
            return error;
        }
    }
    return std::nullopt;
}

std::vector<std::string> literals_of(const Candidates& formats) {
    std::vector<std::string> literals;
    literals.reserve(formats.size());
    for (const CompiledFormat* format : formats) {
        literals.push_back(format->definition.literal);
    }
    return literals;
}

}  // namespace

LogFormats::LogFormats() : implementation_(std::make_unique<Implementation>()) {}
LogFormats::~LogFormats() = default;

Result<std::shared_ptr<const LogFormats>> LogFormats::load(const std::vector<NamedText>& files, const Limits& limits,
                                                           Samples samples) {
    const std::shared_ptr<LogFormats> set(new LogFormats);
    std::vector<CompiledFormat>& formats = set->implementation_->formats;
    for (const NamedText& file : files) {
        Result<std::vector<FormatDefinition>> definitions = read_format_file(file, limits);
        if (!definitions) {
            return std::move(definitions.error());
        }
        for (FormatDefinition& definition : *definitions) {
            Result<CompiledFormat> format = compile_format(std::move(definition));
            if (!format) {
                return std::move(format.error());
            }
            formats.push_back(std::move(*format));
        }
    }
    if (std::optional<Error> error = check_ids(formats)) {
        return *std::move(error);
    }
    if (std::optional<Error> error = check_links(set->definitions())) {
        return *std::move(error);
    }
    auto& by_module = set->implementation_->by_module;
    for (const CompiledFormat& format : formats) {
        for (const std::string& module : format.definition.modules) {
            by_module[module].push_back(&format);
        }
    }
    if (samples == Samples::checked) {
        if (std::optional<Error> error = check_all_samples(formats, by_module)) {
            return *std::move(error);
        }
    }
    for (const auto& [module, all] : by_module) {
        Candidates stating;
        std::copy_if(all.begin(), all.end(), std::back_inserter(stating),
                     [](const CompiledFormat* format) { return format->definition.states != FactKind::nothing; });
        if (!stating.empty()) {
            LiteralSearch literals(literals_of(stating));
            set->implementation_->stating.emplace(module, ModuleFormats{std::move(stating), std::move(literals)});
        }
    }
    return std::shared_ptr<const LogFormats>(set);
}

const ModuleFormats* LogFormats::of_module(std::string_view module) const {
    const auto found = implementation_->stating.find(module);
    return found == implementation_->stating.end() ? nullptr : &found->second;
}

void LogFormats::find_literals(const ModuleFormats& formats, std::string_view text, FoundLiterals& found) {
    formats.literals.find(text, found);
}

bool LogFormats::match(const ModuleFormats& formats, const LogLine& line, std::string_view searched,
                       const FoundLiterals& found, LineBreaks breaks, Match& match,
                       std::optional<Diagnostic>* diagnostic) {
    const std::size_t text_begin = searched.size() - line.text.size();
    StepsLeft steps(line.text.size());
    std::optional<Diagnostic> gave_up;
    bool states = false;
    found.for_each([&](std::size_t index, std::size_t last_place) {
        const CompiledFormat& format = *formats.formats[index];
        if (last_place < text_begin || !is_of_kind(format, line)) {
            return true;
        }
        states = read_fact(format, line, steps, match.fact, &gave_up, breaks);
        match.format = &format.definition;
        return !states && !gave_up;  // then the steps of the line are used up
    });
    if (gave_up && diagnostic != nullptr) {
        *diagnostic = std::move(gave_up);
    }
    return states;
}

std::optional<Match> LogFormats::match(const LogLine& line, std::optional<Diagnostic>* diagnostic) const {
    const ModuleFormats* const formats = of_module(line.module);
    if (formats == nullptr) {
        return std::nullopt;
    }
    FoundLiterals found;
    find_literals(*formats, line.text, found);
    std::optional<Match> made(std::in_place);
    return match(*formats, line, line.text, found, LineBreaks::unknown, *made, diagnostic) ? std::move(made)
                                                                                           : std::nullopt;
}

std::vector<const FormatDefinition*> LogFormats::definitions() const {
    std::vector<const FormatDefinition*> definitions;
    for (const CompiledFormat& format : implementation_->formats) {
        definitions.push_back(&format.definition);
    }
    return definitions;
}

std::vector<NamedText> built_in_log_format_files() {
    std::vector<NamedText> files;
    for (const embedded::File& file : embedded::log_formats_files()) {
        files.push_back({std::string(file.name), std::string(file.text)});
    }
    return files;
}

std::shared_ptr<const LogFormats> built_in_log_formats() {
    // A fault in the built-in files is found by the tests, which load them with their samples; here it would leave an
    // empty set. Never destroyed: a thread may still be in the library while the program ends.
    static const auto* const formats = [] {
        Result<std::shared_ptr<const LogFormats>> loaded =
            LogFormats::load(built_in_log_format_files(), {}, Samples::trusted);
        return new std::shared_ptr<const LogFormats>(loaded ? *loaded : *LogFormats::load({}));
    }();
    return *formats;
}

}  // namespace opdebug::logs
