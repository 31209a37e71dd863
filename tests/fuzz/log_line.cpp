// Lines of a log, each by itself: parsed, and matched with the built-in formats.
#include "logs/lines/line.hpp"

#include <algorithm>

#include <opdebug/result.hpp>

#include "logs/formats/formats.hpp"
#include "require.hpp"
#include "target.hpp"

using namespace opdebug;

namespace {

bool lies_in(std::string_view part, std::string_view line) {
    return part.empty() || (part.data() >= line.data() && part.data() + part.size() <= line.data() + line.size());
}

void require_sound_line(std::string_view text) {
    const std::optional<logs::LogLine> line = logs::parse_line(text);
    std::optional<logs::LogLine> prefix = logs::parse_line_prefix(text);
    fuzz::require(line.has_value() == prefix.has_value(), "a line has a prefix");
    if (!line) {
        return;
    }
    for (const std::string_view part : {line->process_name, line->function, line->text}) {
        fuzz::require(lies_in(part, text), "the parts of a line lie in it");
    }
    // A printed error has no level of its own: it is a constant.
    fuzz::require(line->short_form || (lies_in(line->level, text) && lies_in(line->module, text)),
                  "level and module of a line lie in it");
    const std::string_view searched = prefix->text;
    logs::complete_line(*prefix);
    fuzz::require(prefix->text == line->text && prefix->function == line->function && prefix->tid == line->tid &&
                      prefix->pid == line->pid && prefix->local_time_us == line->local_time_us &&
                      prefix->may_be_cut == line->may_be_cut,
                  "a line is the same in one step and in two");
    const logs::LogFormats& formats = *logs::built_in_log_formats();
    std::optional<Diagnostic> gave_up;
    const auto match = formats.match(*line, &gave_up);
    const logs::ModuleFormats* const of_module = formats.of_module(line->module);
    logs::FoundLiterals found;
    if (of_module != nullptr) {
        logs::LogFormats::find_literals(*of_module, searched, found);
    }
    logs::Match two_steps;
    const bool states = of_module != nullptr && logs::LogFormats::match(*of_module, *line, searched, found, two_steps,
                                                                        nullptr) != logs::Reading::nothing;
    fuzz::require(match.has_value() == states && (!match || match->format == two_steps.format),
                  "a line states the same when literals are searched before it is taken apart");
    fuzz::require(!match || !gave_up, "a line on which a pattern gave up states nothing");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = Bytes(data, size).text();
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        require_sound_line(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return 0;
}
