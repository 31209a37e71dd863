// A file of log formats of the user; one that is accepted can be written, read again and used.
#include "logs/formats/formats.hpp"

#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>

#include "logs/lines/line.hpp"
#include "require.hpp"
#include "target.hpp"
#include "valid_output.hpp"

using namespace opdebug;

namespace {

/// Each sample of a definition is a line that it reads; that of a statement of nothing states nothing.
void require_samples_match(const logs::LogFormats& formats) {
    for (const logs::FormatDefinition* format : formats.definitions()) {
        for (const std::string& sample : format->samples) {
            auto line = logs::parse_line(sample);
            fuzz::require(line.has_value(), "a sample is a line", sample);
            line->may_be_cut = line->may_be_cut || format->cut_lines;  // samples need not be that long
            const auto match = formats.match(*line);
            const bool states_nothing = format->states == logs::FactKind::nothing;
            const bool has_others = format->else_states || format->of_ignored;
            fuzz::require(has_others || match.has_value() != states_nothing, "a sample states what its format says",
                          sample);
            fuzz::require(!match || match->format->id == format->id, "a sample is read by its own format", sample);
        }
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const NamedText file{"fuzz.json", std::string(Bytes(data, size).text())};
    const auto formats = logs::LogFormats::load({file});
    if (!formats) {
        fuzz::require_refused_as(ErrorCode::log_format_invalid, formats.error());
        fuzz::require_sound_error(formats.error(), size);
        fuzz::require_safe_text(log_format_checks_to_json({{file.name, formats.error()}}));
        return 0;
    }
    require_samples_match(**formats);
    return 0;
}
