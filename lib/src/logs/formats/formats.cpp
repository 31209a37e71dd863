// The set of log formats: loading, the checks across entries, and the search for the format of a line.
#include "logs/formats/formats.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "embedded/log_formats_data.hpp"
#include "logs/formats/format_file.hpp"
#include "logs/formats/format_match.hpp"

namespace opdebug::logs {

namespace {

bool states_something(const CompiledFormat* format) noexcept {
    return format->definition.states != FactKind::nothing;
}

}  // namespace

struct ModuleFormats {
    /// Fallbacks come last, also after the user's own formats, which know more of a text than its keys.
    explicit ModuleFormats(const Formats& all) {
        for (const CompiledFormat* format : all) {
            (states_something(format) ? formats : of_nothing).push_back(format);
        }
        std::stable_partition(formats.begin(), formats.end(),
                              [](const CompiledFormat* format) { return !format->definition.fallback; });
    }

    /// Few logs have lines of all modules: the tables of their literals are made for the first line. Thread-safe.
    void prepare() {
        std::call_once(is_prepared, [this] { literals.emplace(literals_of(formats)); });
    }

    Formats formats;
    Formats of_nothing;                     ///< formats that state nothing: only for lines of fallbacks
    std::optional<LiteralSearch> literals;  ///< of the formats, in their order
    std::once_flag is_prepared;
};

struct LogFormats::Implementation {
    std::vector<CompiledFormat> formats;
    /// Of modules with formats that state something.
    std::map<std::string, ModuleFormats, std::less<>> stating;
};

namespace {

constexpr std::size_t kMostFormats = 10'000;  // the built-in ones are about 250
constexpr std::size_t kMostModules = 1'000;   // ... and name 13

std::optional<Error> check_ids(const std::vector<CompiledFormat>& formats) {
    std::map<std::string_view, const CompiledFormat*> by_id;
    for (const CompiledFormat& format : formats) {
        const auto [earlier, is_new] = by_id.emplace(format.definition.id, &format);
        if (!is_new && format.definition.alternative == 0) {
            return format_error(format.definition, "id",
                                fmt::format("is used before, in {}", earlier->second->definition.file),
                                "give every log format its own id");
        }
    }
    return std::nullopt;
}

/// What many definitions cost in time and memory is bounded by their number: each module has tables of its own.
std::optional<Error> check_number(const std::vector<CompiledFormat>& formats) {
    if (formats.size() <= kMostFormats) {
        return std::nullopt;
    }
    return format_error(formats[kMostFormats].definition, "id",
                        fmt::format("is over the limit of {} log formats", kMostFormats),
                        "leave out log formats that are not needed");
}

Result<FormatsByModule> sort_by_module(const std::vector<CompiledFormat>& formats) {
    FormatsByModule by_module;
    for (const CompiledFormat& format : formats) {
        for (const std::string& module : format.definition.modules) {
            Formats& of_module = by_module[module];
            if (of_module.empty() || of_module.back() != &format) {
                of_module.push_back(&format);
            }
            if (by_module.size() > kMostModules) {
                return format_error(format.definition, "modules",
                                    fmt::format("names one more module than the {} that all log formats together may "
                                                "name",
                                                kMostModules),
                                    "leave out modules that are not needed");
            }
        }
    }
    return by_module;
}

/// A printed error names no module: first those of the runtime, whose errors most are. Fallbacks of other modules are
/// left out, for they would read the runtime's sentences too.
Formats formats_of_printed_errors(const FormatsByModule& by_module) {
    const auto runtime = by_module.find("RUNTIME");
    Formats formats = runtime != by_module.end() ? runtime->second : Formats();
    std::set<const CompiledFormat*> known(formats.begin(), formats.end());
    for (const auto& [module, all] : by_module) {
        const bool is_printed = module == LogFormats::kPrinted;
        std::copy_if(all.begin(), all.end(), std::back_inserter(formats),
                     [&, is_printed](const CompiledFormat* format) {
                         return states_something(format) && (is_printed || !format->definition.fallback) &&
                                known.insert(format).second;
                     });
    }
    return formats;
}

bool is_known_to_state_nothing(const ModuleFormats& formats, const LogLine& line, StepsLeft& steps) {
    return std::any_of(formats.of_nothing.begin(), formats.of_nothing.end(), [&](const CompiledFormat* format) {
        Fact fact;
        return may_match(*format, line) && read_fact(*format, line, steps, fact, nullptr) != Reading::nothing;
    });
}

}  // namespace

LogFormats::LogFormats() : implementation_(std::make_unique<Implementation>()) {}
LogFormats::~LogFormats() = default;

Result<std::shared_ptr<const LogFormats>> LogFormats::load(const std::vector<NamedText>& files, const Limits& limits,
                                                           Samples samples) {
    const std::shared_ptr<LogFormats> set(new LogFormats);
    std::vector<CompiledFormat>& formats = set->implementation_->formats;
    for (const NamedText& file : files) {
        Result<std::vector<FormatDefinition>> definitions = read_format_file(file, limits, samples);
        if (!definitions) {
            return std::move(definitions.error());
        }
        for (FormatDefinition& definition : *definitions) {
            formats.push_back(compile_format(std::move(definition)));
        }
    }
    std::optional<Error> error = check_number(formats);
    error = error ? error : check_ids(formats);
    error = error ? error : check_links(set->definitions());
    if (error) {
        return *std::move(error);
    }
    const Result<FormatsByModule> by_module = sort_by_module(formats);
    if (!by_module) {
        return by_module.error();
    }
    if (samples == Samples::checked) {
        error = check_samples(formats, *by_module);
        if (error) {
            return *std::move(error);
        }
    }
    for (const auto& [module, all] : *by_module) {
        if (std::any_of(all.begin(), all.end(), states_something)) {
            set->implementation_->stating.try_emplace(module, all);
        }
    }
    set->implementation_->stating.try_emplace("", formats_of_printed_errors(*by_module));
    return std::shared_ptr<const LogFormats>(set);
}

const ModuleFormats* LogFormats::of_module(std::string_view module) const {
    const auto found = implementation_->stating.find(module);
    if (found == implementation_->stating.end()) {
        return nullptr;
    }
    found->second.prepare();
    return &found->second;
}

bool LogFormats::find_literals(const ModuleFormats& formats, std::string_view text, FoundLiterals& found) {
    return formats.literals->find(text, found);
}

Reading LogFormats::match(const ModuleFormats& formats, const LogLine& line, std::string_view searched,
                          const FoundLiterals& found, Match& match, std::optional<Diagnostic>* diagnostic,
                          const Wanted& wanted) {
    const std::size_t text_begin = searched.size() - line.text.size();
    StepsLeft steps(line.text.size());
    std::optional<Diagnostic> gave_up;
    Reading reading = Reading::nothing;
    for (const auto& [index, last_place] : found) {
        const CompiledFormat& format = *formats.formats[index];
        if (last_place < text_begin || !is_of_kind(format, line)) {
            continue;
        }
        reading = read_fact(format, line, steps, match.fact, &gave_up, wanted);
        match.format = &format.definition;
        if (reading != Reading::nothing && format.definition.fallback &&
            is_known_to_state_nothing(formats, line, steps)) {
            reading = Reading::nothing;
        }
        if (reading != Reading::nothing || gave_up) {  // then the steps of the line are used up
            break;
        }
    }
    if (gave_up && diagnostic != nullptr) {
        *diagnostic = std::move(gave_up);
    }
    return reading;
}

std::optional<Match> LogFormats::match(const LogLine& line, std::optional<Diagnostic>* diagnostic) const {
    const ModuleFormats* const formats = of_module(line.module);
    FoundLiterals found;
    std::optional<Match> made(std::in_place);
    if (formats == nullptr || !find_literals(*formats, line.text, found) ||
        match(*formats, line, line.text, found, *made, diagnostic) == Reading::nothing) {
        return std::nullopt;
    }
    made->fact.format_id = made->format->id;
    return made;
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
