#include "logs/matching/part_matching.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "logs/facts/launch_lines.hpp"
#include "logs/formats/format_match.hpp"
#include "logs/text/entry_inside.hpp"
#include "logs/text/line.hpp"

namespace opdebug::logs {
namespace {

bool has_avx2() noexcept {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return false;
#endif
}

}  // namespace

void PartMatching::begin(std::string_view text, std::uint64_t first_number, StatingLines memory) {
    matched_ = {};
    static_cast<StatingLines&>(matched_) = std::move(memory);
    matched_.lines.clear();
    matched_.unasked.clear();
    matched_.formats = &formats_;
    matched_.first_number = first_number;
    last_writer_ = nullptr;
    unfinished_.clear();
    breaks_ = LineBreaks::none;
    text_ = text;
    first_number_ = first_number;
}

MatchedLines PartMatching::finish() {
    for (LinePrefix& prefix : prefixes_) {
        prefix.give_lines(matched_.writers);
    }
    return std::move(matched_);
}

/// Most lines end here: the prefix is known, the time is one, and the rest is known to state nothing. Step by step for
/// some lines together: what a step looks up it waits for, and for one line after the other the processor does not see
/// far enough ahead to do other lines' steps meanwhile. The first line that is not known is added by itself.
template <class Block>
inline void PartMatching::add_known_lines(LinesOfPiece& lines) {
    std::array<AskedLine, kTogether> asked;
    std::size_t count = 0;
    std::size_t taken = 0;
    std::int64_t time_us = 0;
    LinesOfPiece next = lines;  // in registers
    const char* const last_end = text_.data() + text_.size() - std::min(text_.size(), LineShapes::kReadBehind);
    const std::uint64_t first_number = first_number_ + matched_.count;
    for (; taken < kTogether && next.has_next(); ++taken, next.take()) {
        const std::string_view text = next.next();
        LinePrefix* const prefix =
            text.data() + text.size() <= last_end && text.size() <= line_bytes_ ? prefixes_.find(text) : nullptr;
        AskedLine& line = asked[count];
        if (prefix == nullptr || !take_time_and_rest(text, prefix->size, line.after)) {
            break;
        }
        time_us = line.after.time_us;
        prefix->add_time(time_us);
        line.prefix = prefix;
        line.begin = text.data();
        line.end = text.data() + text.size();
        line.number = first_number + taken;
        count += prefix->formats != nullptr ? 1U : 0U;
    }
    lines.taken = next.taken;
    lines.begin = next.begin;
    for (std::size_t index = 0; index < count; ++index) {
        const std::string_view rest = asked[index].rest();
        asked[index].hash = LineShapes::hash_of<Block>(rest);
    }
    for (std::size_t index = 0; index < count; ++index) {
        const AskedLine& line = asked[index];
        const LineShape* const shape =
            shapes_.find<Block>(line.prefix->formats, line.prefix->thread_known, line.rest(), line.hash);
        if (shape == nullptr || shape->format != nullptr) {
            read_rest(line, line.rest(), shape);
        }
    }
    matched_.count += taken;
    if (taken != 0) {
        matched_.last_time_us = time_us;
    }
    if (taken < kTogether && lines.has_next()) {
        add_line(lines.next(), LineEnd::line_break);
        lines.take();
    }
}

void PartMatching::add_lines(LinesOfPiece& lines) {
    breaks_ = lines.breaks.others ? LineBreaks::unknown : breaks_;
    while (lines.has_next()) {
#if defined(__x86_64__)
        if (has_avx2()) {
            add_known_lines_with_avx2(lines);
        } else
#endif
        {
            add_known_lines<Block16>(lines);
        }
    }
}

#if defined(__x86_64__)
[[gnu::target("avx2")]] void PartMatching::add_known_lines_with_avx2(LinesOfPiece& lines) {
    add_known_lines<Block32>(lines);
}

[[gnu::target("avx2")]] const LineShape* PartMatching::find_shape_with_avx2(const LinePrefix& prefix,
                                                                            std::string_view rest) {
    return shapes_.find<Block32>(prefix.formats, prefix.thread_known, rest, LineShapes::hash_of<Block32>(rest));
}
#endif

void PartMatching::add_line(std::string_view line, LineEnd end) {
    const std::uint64_t number = first_number_ + matched_.count;
    ++matched_.count;
    while (!line.empty() && (line.back() == '\r' || line.back() == '\0')) {  // no part of the text, nor of evidence
        line.remove_suffix(1);
    }
    if (!line.empty() && line.front() == '\0') {  // a log that was cut while its writer went on begins with a hole
        line.remove_prefix(line.find_first_not_of('\0'));
    }
    while (line.size() > line_bytes_) {
        const std::size_t hole = find_hole(line.substr(0, static_cast<std::size_t>(line_bytes_)));
        if (hole == std::string_view::npos) {
            break;
        }
        add_taken_apart(line.substr(0, hole), LineEnd::end_of_file, number);
        line.remove_prefix(line.find_first_not_of('\0', hole));  // more follows: the text does not end in NULs
    }
    if (line.size() > line_bytes_) {
        line = line.substr(0, static_cast<std::size_t>(line_bytes_));
        end = LineEnd::more;
    }
    if (end != LineEnd::line_break || !add_by_prefix(line, number)) {
        add_taken_apart(line, end, number);
    }
}

/// False where the line is to be taken apart.
bool PartMatching::add_by_prefix(std::string_view text, std::uint64_t number) {
    LinePrefix* const prefix = prefixes_.find(text);
    AskedLine line{prefix, {}, text.data(), text.data() + text.size(), number, 0};
    if (prefix == nullptr || !take_time_and_rest(text, prefix->size, line.after)) {
        return false;
    }
    prefix->add_time(line.after.time_us);
    matched_.last_time_us = line.after.time_us;
    if (prefix->formats != nullptr) {
        look_at_rest(line);
    }
    return true;
}

/// Of a line at the end of the text, behind which nothing may be read.
void PartMatching::look_at_rest(const AskedLine& line) {
    std::array<char, 1 + LineShape::kLongest + LineShapes::kReadBehind> copy{};
    std::string_view rest = line.rest();
    if (LineShapes::may_have_shape(rest)) {
        std::copy_n(rest.data() - 1, rest.size() + 1, copy.begin());
        rest = {copy.data() + 1, rest.size()};
    }
    const LineShape* const shape = find_shape(*line.prefix, rest);
    if (shape == nullptr || shape->format != nullptr) {
        read_rest(line, rest, shape);
    }
}

const LineShape* PartMatching::find_shape(const LinePrefix& prefix, std::string_view rest) {
#if defined(__x86_64__)
    if (has_avx2()) {
        return find_shape_with_avx2(prefix, rest);
    }
#endif
    return shapes_.find<Block16>(prefix.formats, prefix.thread_known, rest, LineShapes::hash_of<Block16>(rest));
}

/// The shape of the line that was asked for last, and that without its hexadecimal numbers if they do not matter and
/// stand in the `text_size` bytes at its end. `take(LineShape&)`: false where it cannot be kept.
template <class Take>
void PartMatching::learn(const ModuleFormats& formats, bool with_hex_numbers, std::size_t text_size, Take take) {
    LineShape* const shape = shapes_.to_learn();
    LineShape* const hex_shape = with_hex_numbers ? hex_shapes_.to_learn(text_size) : nullptr;
    if ((shape == nullptr && hex_shape == nullptr) ||
        LogFormats::may_hold_digits_of_literals(formats, shapes_.masked())) {
        return;
    }
    if (shape != nullptr && take(*shape)) {
        shapes_.keep();
    }
    if (hex_shape != nullptr && take(*hex_shape)) {
        hex_shapes_.keep();
    }
}

/// `rest`: that of the line where more bytes behind it are readable, maybe a copy. `shape`: null where it is not known.
void PartMatching::read_rest(const AskedLine& line, std::string_view rest, const LineShape* shape) {
    matched_.last_time_us = line.after.time_us;
    if (shape != nullptr && match_as(*shape, line)) {
        return;
    }
    hex_shapes_.learn_nothing();
    if (shapes_.is_unknown() && match_by_hex_shape(line, rest)) {
        return;
    }
    const ModuleFormats& formats = *line.prefix->formats;
    // Not learnt where an entry may begin inside: with another time or process id one may, in a line of the same shape.
    const EntryInside other = entry_inside(line.rest());
    if (other.is_possible || find_hole(line.rest()) != std::string_view::npos) {
        const LogLine parts = line.prefix->parts_of(line.text(), line.after.time_us, line.rest());
        match_entries(formats, {parts, line.text(), LineEnd::line_break, line.number}, other.entry);
    } else if (LogFormats::find_literals(formats, line.rest(), literals_)) {
        match(formats, line.prefix->parts_of(line.text(), line.after.time_us, line.rest()), line.text(),
              LineEnd::line_break, line.number, Learns::yes);
    } else {
        const auto keep = [](LineShape&) { return true; };
        learn(formats, !LogFormats::tells_hex_numbers_apart(formats), rest.size(), keep);
    }
}

/// False where the line is not known but for its hexadecimal numbers, or is read by another format. Where it is known,
/// the shape of its digits is not learnt: of four such shapes three were replaced before a line had one again, and to
/// learn them took longer than to look here for the lines that had one.
bool PartMatching::match_by_hex_shape(const AskedLine& line, std::string_view rest) {
    const LinePrefix& prefix = *line.prefix;
    const LineShape* const known = hex_shapes_.find(prefix.formats, prefix.thread_known, rest);
    if (known != nullptr) {
        shapes_.count_known();
        if (known->format == nullptr || match_as(*known, line)) {
            return true;
        }
    }
    shapes_.begin_to_learn(prefix.formats, prefix.thread_known, rest);
    if (known == nullptr) {
        hex_shapes_.begin_to_learn(prefix.formats, prefix.thread_known, rest, shapes_.masked());
    }
    return false;
}

/// False where the line is not read as its shape says, or by another format. Of a line with a certain shape nothing is
/// taken apart: its places are known.
bool PartMatching::match_as(const LineShape& shape, const AskedLine& asked) {
    const std::string_view rest = asked.rest();
    const LinePrefix& prefix = *asked.prefix;
    const bool may_pass = wanted_.selects() && shape.unasked.use != UnaskedUse::read;
    if (shape.is_certain) {  // to clear a LogLine, which nobody asks then, was 1 % of a scan
        return (may_pass && pass_unasked(shape, asked, nullptr)) ||
               read_as(shape, asked, shape.thread_of(rest, prefix.parts.tid));
    }
    LogLine line = prefix.parts_of(asked.text(), asked.after.time_us, rest);
    rests_.complete(line);
    if (!shape.is_of(line, rest)) {
        return false;
    }
    return (may_pass && pass_unasked(shape, asked, &line)) || read_as(shape, asked, line.tid.value_or(-1));
}

bool PartMatching::read_as(const LineShape& shape, const AskedLine& asked, std::int64_t tid) {
    const std::string_view rest = asked.rest();
    MatchedLine& matched = matched_.lines.add();
    matched_.lines.fetch_further();
    const Reading reading = LogFormats::match_as(*shape.format, rest.substr(shape.text_begin), shape.texts_of(rest),
                                                 matched.match, wanted_);
    keep(reading, shape.format, {asked.prefix->writer, tid, asked.text(), asked.number}, matched);
    return reading != Reading::nothing;
}

/// False where the line is to be read. `parts`: of a line whose shape is not certain.
bool PartMatching::pass_unasked(const LineShape& shape, const AskedLine& asked, const LogLine* parts) {
    UnaskedLine& unasked = matched_.unasked.add();
    const UnaskedUse use = read_unasked(shape.unasked, asked.rest(), wanted_, unasked.ids);
    if (use == UnaskedUse::listed) {
        const std::int64_t tid =
            parts != nullptr ? parts->tid.value_or(-1) : shape.thread_of(asked.rest(), asked.prefix->parts.tid);
        unasked.format = &shape.format->definition;
        unasked.time_us = asked.after.time_us;
        list_unasked(unasked, {asked.prefix->writer, tid, asked.text(), asked.number});
        return true;
    }
    matched_.unasked.drop_last();
    if (use == UnaskedUse::noted) {
        note_unasked(shape.unasked.kind, asked.prefix->writer);
    }
    return use != UnaskedUse::read;
}

/// What is noted of the writer of an unasked line: mostly that of the one before.
std::pair<const Writer, WriterLines>& PartMatching::lines_of(const Writer& writer) {
    if (last_writer_ == nullptr || !(last_writer_->first == writer)) {
        last_writer_ = &*matched_.writers.try_emplace(writer).first;
    }
    return *last_writer_;
}

void PartMatching::note_unasked(FactKind kind, const Writer& writer) {
    WriterLines& lines = lines_of(writer).second;
    lines.states_unasked = true;
    lines.names_unasked = lines.names_unasked || names_what_runs(kind);
}

/// `unasked`: the last one of the list.
void PartMatching::list_unasked(UnaskedLine& unasked, const StatingLine& line) {
    unasked.writer = &lines_of(line.writer).first;
    unasked.tid = line.tid;
    unasked.begin = line.text.data();
    unasked.size = static_cast<std::uint32_t>(line.text.size());
    unasked.number = static_cast<std::uint32_t>(line.number - first_number_);
    unasked.before = static_cast<std::uint32_t>(matched_.lines.size());
}

/// `learns`: the line is the one whose shape was asked for last.
Reading PartMatching::match(const ModuleFormats& formats, LogLine line, std::string_view text, LineEnd end,
                            std::uint64_t number, Learns learns) {
    const std::string_view searched = line.text;
    rests_.complete(line);
    line.may_be_cut = line.may_be_cut || end != LineEnd::line_break;  // the log library ends each line with one
    std::optional<Diagnostic> diagnostic;
    MatchedLine& matched = matched_.lines.add();
    ReadBy by;
    // What a line says that ends otherwise hangs on its end, which is not kept.
    const bool may_be_unasked = end == LineEnd::line_break && text.size() <= UnaskedLine::kLongest;
    const Reading reading = LogFormats::match(formats, line, searched, literals_, breaks_of(line), matched.match,
                                              &diagnostic, may_be_unasked ? wanted_ : everything_, &by);
    if (diagnostic) {
        matched_.diagnostics.emplace_back(number, std::move(*diagnostic));
    }
    if (learns == Learns::yes && !by.hangs_on_digits) {
        const auto take = [&](LineShape& shape) {
            return reading == Reading::nothing ? shape.take_nothing(line, searched)
                                               : shape.take(*by.format, by.texts, line, searched);
        };
        const bool tells_hex_numbers = by.hangs_on_hex_numbers || LogFormats::tells_hex_numbers_apart(formats);
        learn(formats, !tells_hex_numbers, line.text.size(), take);
    }
    const Writer writer = writer_of(line);
    keep(reading, by.format, {writer, line.tid.value_or(-1), text, number}, matched);
    if (reading == Reading::all) {
        matched.lacks_time = !line.local_time_us;
        matched.is_cut = end != LineEnd::line_break;
    }
    return reading;
}

/// `matched`: the last of the lines, of which the statement is read, by that format.
void PartMatching::keep(Reading reading, const CompiledFormat* format, const StatingLine& line, MatchedLine& matched) {
    if (reading == Reading::nothing) {
        matched_.lines.drop_last();
        return;
    }
    matched.writer = line.writer;
    matched.tid = line.tid;
    matched.time_us = matched_.last_time_us;
    matched.number = line.number;
    if (reading == Reading::all) {
        matched.text = line.text.substr(0, kEvidenceLength);
        matched.lacks_time = matched.is_cut = false;
        return;
    }
    matched_.lines.drop_last();  // the next line is read into the same memory
    UnaskedLine& unasked = matched_.unasked.add();
    unasked = unasked_line_of(matched);
    if (use_of_line(format->unasked.use, unasked.ids.kind, unasked.ids.task_type) == UnaskedUse::noted) {
        matched_.unasked.drop_last();
        note_unasked(unasked.ids.kind, line.writer);
    } else {
        list_unasked(unasked, line);
    }
}

LineBreaks PartMatching::breaks_of(const LogLine& line) const noexcept {
    return breaks_ == LineBreaks::none || !holds_line_break(line.text) ? LineBreaks::none : LineBreaks::unknown;
}

}  // namespace opdebug::logs
