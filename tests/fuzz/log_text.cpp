// Lines of a log, all as the log of one run; each of them with other digits, too, after lines that it is known from.
#include "logs/processes/builder.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include <opdebug/result.hpp>

#include "logs/formats/formats.hpp"
#include "logs/lines/lexer.hpp"
#include "match_lines.hpp"
#include "require.hpp"
#include "sound_map.hpp"
#include "target.hpp"

using namespace opdebug;

namespace {

/// The text with the next digit for each digit after the time of a line.
std::string with_other_digits(std::string text) {
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const auto line = logs::parse_line_prefix(std::string_view(text).substr(begin, end - begin));
        const char* const first = line && !line->short_form ? line->text.data() : text.data() + end;
        std::transform(text.begin() + (first - text.data()), text.begin() + static_cast<std::ptrdiff_t>(end),
                       text.begin() + (first - text.data()), [](char byte) {
                           return logs::is_digit(byte) ? static_cast<char>('0' + (byte - '0' + 1) % 10) : byte;
                       });
        begin = end + 1;
    }
    return text;
}

bool states_the_same(const logs::StatedLine& a, const logs::StatedLine& b) {
    return a.match.format == b.match.format && a.writer == b.writer && a.tid == b.tid && a.text == b.text &&
           logs::states_the_same(a.match.fact, b.match.fact);
}

void require_read_alike(const std::string& text) {
    const logs::LogFormats& formats = *logs::built_in_log_formats();
    const std::string other = with_other_digits(text);
    logs::PartReader reader(formats);
    reader.read(text);
    reader.read(text);
    const logs::StatedLines known = reader.read(other);
    if (!known.mended.empty()) {
        return;  // a sentence on several lines, which none of them states alone
    }
    std::size_t index = 0;
    for (std::size_t begin = 0; begin < other.size();) {
        const std::size_t end = std::min(other.find('\n', begin), other.size() - 1) + 1;
        const logs::StatedLines alone = test::match_lines(std::string_view(other).substr(begin, end - begin), formats);
        for (const logs::StatedLine& line : alone.lines) {
            fuzz::require(index < known.lines.size() && states_the_same(known.lines[index], line),
                          "a line states the same behind lines with other digits");
            ++index;
        }
        begin = end;
    }
    fuzz::require(index == known.lines.size(), "no line states more behind lines with other digits");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = Bytes(data, size).text();
    logs::TaskMapBuilder builder;
    builder.begin_file("debug/plog/plog-5100_20260304100000000.log");
    builder.add(test::match_lines(text, *logs::built_in_log_formats()));
    const std::shared_ptr<const TaskMap> map = builder.finish();
    fuzz::require_sound_map(map);
    fuzz::require_same_from_map(text, map);
    require_read_alike(std::string(text));
    return 0;
}
