// Lines of a log, all as the log of one run; each of them with other digits, too, after lines that it is known from.
#include "logs/collecting/builder.hpp"

#include <algorithm>
#include <memory>
#include <string>

#include <opdebug/result.hpp>

#include "logs/formats/formats.hpp"
#include "logs/text/lexer.hpp"
#include "match_lines.hpp"
#include "require.hpp"
#include "sound_map.hpp"
#include "target.hpp"

using namespace opdebug;

namespace {

/// The text with the next digit for each that is after the time of a line.
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

bool states_the_same(const logs::MatchedLine& a, const logs::MatchedLine& b) {
    const logs::Fact first = fact_of(a);
    const logs::Fact other = fact_of(b);
    const auto same_number = [&](const logs::NumberMember& number) {
        return first.*number.member == other.*number.member;
    };
    const auto same_text = [&](const logs::TextMember& text) { return first.*text.member == other.*text.member; };
    const auto numbers = logs::number_members();
    const auto texts = logs::text_members();
    return a.match.format == b.match.format && a.writer == b.writer && a.tid == b.tid && a.text == b.text &&
           first.kind == other.kind && first.of_model == other.of_model && first.name_cut == other.name_cut &&
           std::all_of(numbers.begin(), numbers.end(), same_number) &&
           std::all_of(texts.begin(), texts.end(), same_text);
}

void require_read_alike(const std::string& text) {
    const logs::LogFormats& formats = *logs::built_in_log_formats();
    const std::string other = with_other_digits(text);
    logs::LineMatcher matcher(formats);
    matcher.match(text, 1);
    matcher.match(text, 1);
    const logs::MatchedLines known = matcher.match(other, 1);
    if (!known.mended.empty()) {
        return;  // a sentence on several lines, which none of them states alone
    }
    std::size_t index = 0;
    for (std::size_t begin = 0; begin < other.size();) {
        const std::size_t end = std::min(other.find('\n', begin), other.size() - 1) + 1;
        const logs::MatchedLines alone =
            test::match_lines(std::string_view(other).substr(begin, end - begin), 1, formats);
        for (const logs::MatchedLine& line : alone.lines) {
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
    builder.add(test::match_lines(text, 1, *logs::built_in_log_formats()));
    const std::shared_ptr<const TaskMap> map = builder.finish();
    fuzz::require_sound_map(map);
    fuzz::require_same_from_map(text, map);
    require_read_alike(std::string(text));
    return 0;
}
