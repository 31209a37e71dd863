// Files that the user writes: a catalogue of status bits and definitions of log lines. A damaged one is refused by
// name, or its sound entries mean what they meant.
#include <optional>

#include <fmt/format.h>

#include <opdebug/dump.hpp>

#include "every_byte.hpp"
#include "logs/formats/formats.hpp"
#include "logs/lines/line.hpp"
#include "text.hpp"

namespace opdebug::damage {
namespace {

/// An entry of a file: where its text is.
struct Part {
    std::size_t begin;
    std::size_t end;
    bool holds(std::size_t place) const { return place >= begin && place < end; }
};

Part part_of(const std::string& file, std::string_view text) {
    const std::size_t begin = file.find(text);
    return {begin, begin + text.size()};
}

void require_refused(Findings& findings, const Error& error, ErrorCode code, const Buffer& damaged) {
    findings.require(error.code == code, "a refused file has the error of its kind", to_string(error));
    findings.require(test::contains(to_string(error), "mine.json"), "an error names the file", to_string(error));
    findings.require(!error.offset || *error.offset <= damaged.size(), "the place of an error lies in the file");
}

// ---- status catalogue -----------------------------------------------------------------------------------------------

std::string catalogue_entry(const char* id, const char* mask, const char* name) {
    return fmt::format(R"({{"id": "mine.{}", "mask": "{}", "value": "{}", "kind": "overflow", "documents": ["my_guide"],
  "name": {{"en": "{}", "zh": "{}"}}, "text": {{"en": "What {} means.", "zh": "w"}},
  "advice": {{"en": "Look at it.", "zh": "l"}}, "source": "my guide, {}"}})",
                       id, mask, mask, name, name, name, id);
}

std::string catalogue_of(const std::string& entries) {
    return R"({"schema": "opdebug.status_catalogue/1", "register": "mine", "units": ["aic"],
 "documents": [{"id": "my_guide", "title": "My guide", "covers": "All", "source": "me"}],
 "codes": [], "remarks": [], "entries": [)" +
           entries + "]}\n";
}

/// All that is stated of one bit.
std::string explained(const StatusCatalogue& catalogue, std::uint64_t bit) {
    const auto status = decode_status(catalogue, Unit::aic, {bit});
    std::string text;
    for (const Cause& cause : status->causes) {
        const CauseDefinition& entry = *cause.definition;
        text +=
            fmt::format("{} {} {} {} {} {} {} {} {}\n", entry.id, entry.mask, entry.value, static_cast<int>(entry.kind),
                        entry.name.en, entry.name.zh, entry.text.en, entry.advice.en, entry.source);
    }
    return text;
}

// ---- log formats ----------------------------------------------------------------------------------------------------

std::string log_format(const char* name, const char* mark) {
    return fmt::format(R"json({{"id": "mine.{}", "catalogue": "{}", "states": "operator_of_task", "log": "ge_log",
  "modules": ["MINE"], "literal": "{} put down: ",
  "pattern": "{} put down: (?<operator_name>\\S+) lane (?<stream_id>\\d+), slot (?<task_id>\\d+)",
  "versions": "2031", "source": "my engine",
  "samples": ["[INFO] MINE(1,toy):2031-01-02-03:04:05.006.007 [p.cc:7]1 Place:{} put down: net/a lane 3, slot 4"]}})json",
                       name, mark, name, name, name);
}

std::string read_by(const logs::LogFormats& formats, const std::string& name) {
    const std::string text = fmt::format(
        "[INFO] MINE(1,toy):2031-01-02-03:04:05.006.007 [p.cc:7]1 Place:{} put down: net/b_{} lane 35, slot 46", name,
        name);
    const auto line = logs::parse_line(text);
    const auto match = line ? formats.match(*line) : std::nullopt;
    if (!match) {
        return "nothing";
    }
    const logs::Fact fact = match->fact;
    return fmt::format("{} {} {} {}", fact.format_id, fact.operator_name, fact.stream_id.value_or(0),
                       fact.task_id.value_or(0));
}

}  // namespace

void try_status_catalogue(Findings& findings) {
    const std::string first = catalogue_entry("first", "0x10", "first bit");
    const std::string second = catalogue_entry("second", "0x20", "second bit");
    const std::string text = catalogue_of(first + ",\n" + second);
    const Part first_part = part_of(text, first), second_part = part_of(text, second);
    const auto load = [](const std::string& content) { return load_status_catalogue({{"mine.json", content}}); };
    const auto sound = load(text);
    findings.require(sound.ok(), "the file is sound at first", sound ? "" : to_string(sound.error()));
    if (!sound) {
        return;
    }
    const std::string of_first = explained(**sound, 0x10), of_second = explained(**sound, 0x20);
    findings.try_all("a catalogue", Buffer(text.begin(), text.end()), [&](const Buffer& damaged, const Damage& damage) {
        const auto catalogue = load(std::string(damaged.begin(), damaged.end()));
        if (!catalogue) {
            require_refused(findings, catalogue.error(), ErrorCode::catalogue_invalid, damaged);
            return std::string(to_string(catalogue.error().code));
        }
        findings.require(!damage.cut || damaged.size() + 1 == text.size(), "a cut file is refused");
        // Another unit may be named now: then this unit is the built-in catalogue's.
        const auto same_or_not_its = [](std::uint64_t bit, const std::string& now, const std::string& before) {
            return now == before || now == explained(*built_in_status_catalogue(), bit);
        };
        const std::string now_first = explained(**catalogue, 0x10), now_second = explained(**catalogue, 0x20);
        findings.require(first_part.holds(damage.place) || same_or_not_its(0x10, now_first, of_first),
                         "an entry that is whole means what it meant", now_first);
        findings.require(second_part.holds(damage.place) || same_or_not_its(0x20, now_second, of_second),
                         "an entry that is whole means what it meant", now_second);
        return std::string("ok");
    });
}

void try_log_format_file(Findings& findings) {
    const std::string first = log_format("block", "MY1"), second = log_format("stone", "MY2");
    const std::string text = R"({"schema": "opdebug.log_formats/1", "formats": [)" + first + ",\n" + second + "]}\n";
    const Part first_part = part_of(text, first), second_part = part_of(text, second);
    const auto load = [](const std::string& content) { return logs::LogFormats::load({{"mine.json", content}}); };
    const auto sound = load(text);
    findings.require(sound.ok(), "the file is sound at first", sound ? "" : to_string(sound.error()));
    if (!sound) {
        return;
    }
    const std::string of_first = read_by(**sound, "block"), of_second = read_by(**sound, "stone");
    findings.require(of_first == "mine.block net/b_block 35 46", "the file is read at first", of_first);
    findings.try_all("a log format file", Buffer(text.begin(), text.end()),
                     [&](const Buffer& damaged, const Damage& damage) {
                         const auto formats = load(std::string(damaged.begin(), damaged.end()));
                         if (!formats) {
                             require_refused(findings, formats.error(), ErrorCode::log_format_invalid, damaged);
                             return std::string(to_string(formats.error().code));
                         }
                         findings.require(!damage.cut || damaged.size() + 1 == text.size(), "a cut file is refused");
                         findings.require(first_part.holds(damage.place) || read_by(**formats, "block") == of_first,
                                          "a definition that is whole reads its lines", read_by(**formats, "block"));
                         findings.require(second_part.holds(damage.place) || read_by(**formats, "stone") == of_second,
                                          "a definition that is whole reads its lines", read_by(**formats, "stone"));
                         return std::string("ok");
                     });
}

}  // namespace opdebug::damage
