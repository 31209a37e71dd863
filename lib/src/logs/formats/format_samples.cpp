// The samples of a set of log formats: each shows that its own format reads it, and that no other does.
//
// The formats that might read a sample are found as for the lines of a log: one search for all literals of the module.
// Trying each format on each sample would take steps with the square of their number.
#include "logs/formats/format_match.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "logs/formats/formats.hpp"
#include "logs/formats/literal_search.hpp"
#include "logs/lines/line.hpp"

namespace opdebug::logs {
namespace {

/// Other formats that are tried on a sample: at most 14 of the built-in ones. They are tried on such lines of a log,
/// too.
constexpr std::size_t kMostOthers = 256;

using SearchByModule = std::map<std::string_view, LiteralSearch>;

bool contains(const std::vector<std::string>& list, std::string_view item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

/// The definitions of one entry, which lie next to each other.
using Entry = std::span<const CompiledFormat>;

std::optional<LogLine> line_of(const FormatDefinition& definition, std::size_t sample) {
    std::optional<LogLine> line = parse_line(definition.samples[sample]);
    if ((!line || line->module.empty()) && contains(definition.modules, LogFormats::kPrinted)) {
        line = printed_line(definition.samples[sample]);
        line->module = LogFormats::kPrinted;
    }
    if (line && definition.cut_lines) {
        line->may_be_cut = true;  // samples need not be that long
    }
    return line;
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
        return std::pair{
            fmt::format("does not contain the literal \"{}\" in its text, after the prefix", definition.literal),
            definition.has_own_literal ? "correct the literal or the sample" : "correct the pattern or the sample"};
    }
    std::optional<Diagnostic> diagnostic;
    StepsLeft steps(line->text.size());
    Fact fact;
    if (read_fact(format, *line, steps, fact, &diagnostic) == Reading::nothing) {
        if (diagnostic && diagnostic->code == kLineCutInNumber) {
            return std::pair{"ends in a number, a part of which may be cut off in such a line",
                             "let the sample end elsewhere: lines that are cut inside a number are not read"};
        }
        return std::pair{diagnostic ? "makes the pattern give up" : "is not read by the pattern (or is ignored)",
                         "correct the pattern, the ignore rules or the sample"};
    }
    return std::nullopt;
}

/// The other formats of the module whose literal is in the line, up to one more than may be.
Formats others_that_may_match(Entry entry, const LogLine& line, const Formats& formats, const LiteralSearch& literals) {
    FoundLiterals found;
    literals.find(line.text, found);
    Formats others;
    for (const FoundLiteral& literal : found) {
        const CompiledFormat& other = *formats[literal.index];
        if (other.definition.id != entry.front().definition.id && is_of_kind(other, line)) {
            others.push_back(&other);
        }
        if (others.size() > kMostOthers) {
            break;
        }
    }
    return others;
}

/// The error names the format that came later: a user's format, not the built-in one next to it.
Error read_by_two(const CompiledFormat& format, std::size_t sample, const CompiledFormat& other) {
    const std::string remedy = "make the patterns exclude each other";
    const FormatDefinition& definition = format.definition;
    if (&format < &other) {
        return format_error(other.definition, "pattern",
                            fmt::format("reads a sample of \"{}\" of {} as well: {}", definition.id, definition.file,
                                        definition.samples[sample]),
                            remedy);
    }
    return format_error(definition, fmt::format("samples[{}]", sample),
                        fmt::format("is read by \"{}\" of {} as well", other.definition.id, other.definition.file),
                        remedy);
}

/// The definition of the entry that reads the sample, and the first fault where there is none.
const CompiledFormat* own_reader(Entry entry, const std::optional<LogLine>& line,
                                 std::optional<std::pair<std::string, std::string>>& fault) {
    for (const CompiledFormat& format : entry) {
        auto own = own_fault(format, line);
        if (!own) {
            return &format;
        }
        fault = fault ? fault : std::move(own);
    }
    return nullptr;
}

/// `reader`: the definition that reads the sample.
std::optional<Error> check_sample(Entry entry, std::size_t sample, const FormatsByModule& by_module,
                                  SearchByModule& searches, const CompiledFormat*& reader) {
    const FormatDefinition& definition = entry.front().definition;
    const std::optional<LogLine> line = line_of(definition, sample);
    const std::string member = fmt::format("samples[{}]", sample);
    std::optional<std::pair<std::string, std::string>> fault;
    reader = own_reader(entry, line, fault);
    if (reader == nullptr) {
        return format_error(definition, member, fault->first, fault->second);
    }
    const auto& [module, formats] = *by_module.find(line->module);
    auto search = searches.find(module);
    if (search == searches.end()) {
        search = searches.emplace(module, LiteralSearch(literals_of(formats))).first;
    }
    const Formats others = others_that_may_match(entry, *line, formats, search->second);
    for (const CompiledFormat* other : others) {
        if (other->definition.fallback && !definition.fallback) {
            continue;  // this one reads the line before, or marks it as without a statement
        }
        StepsLeft steps(line->text.size());
        Fact fact;
        if (read_fact(*other, *line, steps, fact, nullptr) != Reading::nothing) {
            return read_by_two(entry.front(), sample, *other);
        }
    }
    if (others.size() > kMostOthers) {
        return format_error(definition, member,
                            fmt::format("holds the literals of more than {} other log formats", kMostOthers),
                            "give the log formats literals that few other lines hold");
    }
    return std::nullopt;
}

/// Each sample is read by one definition of the entry, and each definition reads one.
std::optional<Error> check_entry(Entry entry, const FormatsByModule& by_module, SearchByModule& searches) {
    std::set<const CompiledFormat*> readers;
    for (std::size_t sample = 0; sample < entry.front().definition.samples.size(); ++sample) {
        const CompiledFormat* reader = nullptr;
        if (std::optional<Error> error = check_sample(entry, sample, by_module, searches, reader)) {
            return error;
        }
        readers.insert(reader);
    }
    for (const CompiledFormat& format : entry) {
        if (readers.count(&format) == 0) {
            return format_error(format.definition, "samples",
                                fmt::format("have no line of the pattern {} that states {}", format.definition.pattern,
                                            to_string(format.definition.states)),
                                "add one, or remove the pattern");
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<std::string> literals_of(const Formats& formats) {
    std::vector<std::string> literals;
    literals.reserve(formats.size());
    for (const CompiledFormat* format : formats) {
        literals.push_back(format->definition.literal);
    }
    return literals;
}

std::optional<Error> check_samples(const std::vector<CompiledFormat>& formats, const FormatsByModule& by_module) {
    SearchByModule searches;
    for (auto first = formats.begin(); first != formats.end();) {
        const auto begins_another = [](const CompiledFormat& format) { return format.definition.alternative == 0; };
        const auto last = std::find_if(std::next(first), formats.end(), begins_another);
        if (std::optional<Error> error = check_entry(Entry(first, last), by_module, searches)) {
            return error;
        }
        first = last;
    }
    return std::nullopt;
}

}  // namespace opdebug::logs
