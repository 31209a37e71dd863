#include "merge/part.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <opdebug/version.hpp>

#include "bytes/digest.hpp"
#include "bytes/packed_form.hpp"
#include "logs/files/byte_source.hpp"

namespace opdebug::merge {
namespace {

/// A line that is longer is none of a report: a document of thousands of tensors has a few megabytes.
constexpr std::size_t kLongestLine = std::size_t{64} << 20U;

}  // namespace

Result<PartText> PartText::open(const std::string& path, const std::shared_ptr<report::DocumentStore>& unpacked) {
    PartText text;
    text.path_ = path;
    Result<bytes::FileReader> file = bytes::FileReader::open(path);
    if (!file) {
        return std::move(file.error());
    }
    text.size_ = file->size();
    char start[4] = {};
    const Result<std::size_t> got = file->read_at(0, start, sizeof start);
    if (!got) {
        return got.error();
    }
    const std::string_view begin(start, *got);
    if (bytes::is_gzip(begin) || bytes::is_zstd(begin)) {
        text.unpacked_ = unpacked;
        if (auto error = text.unpack()) {
            return *std::move(error);
        }
    }
    return text;
}

std::optional<Error> PartText::unpack() {
    Result<logs::ByteSource> source = logs::ByteSource::open(path_);
    if (!source) {
        return std::move(source.error());
    }
    size_ = 0;
    std::string piece;
    while (true) {
        piece.resize(std::size_t{64} << 10U);
        const Result<std::size_t> got = source->read(piece.data(), piece.size());
        if (!got) {
            damage_ = got.error();
        }
        if (!got || *got == 0) {
            return std::nullopt;
        }
        piece.resize(*got);
        const Result<report::DocumentStore::Span> stored = unpacked_->add(piece);
        if (!stored) {
            return stored.error();
        }
        begin_ = size_ == 0 ? stored->offset : begin_;
        size_ += *got;
    }
}

std::optional<Error> PartText::read_at(std::uint64_t offset, std::size_t count, std::string& text) const {
    if (offset >= size_) {
        return std::nullopt;
    }
    count = static_cast<std::size_t>(std::min<std::uint64_t>(count, size_ - offset));
    if (unpacked_) {
        std::string buffer;
        const Result<std::string_view> piece = unpacked_->text_at({begin_ + offset, count}, buffer);
        text += piece ? *piece : std::string_view();
        return piece ? std::nullopt : std::optional(piece.error());
    }
    const std::size_t before = text.size();
    text.resize(before + count);
    const Result<bytes::FileReader> file = bytes::FileReader::open(path_);
    const Result<std::size_t> got =
        file ? file->read_at(offset, text.data() + before, count) : Result<std::size_t>(file.error());
    text.resize(before + (got ? *got : 0));
    return got ? std::nullopt : std::optional(got.error());
}

bool PartLines::read_more() {
    buffer_.erase(0, begin_);
    begin_ = 0;
    const std::size_t before = buffer_.size();
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(std::max(piece_, before), end_ - next_));
    const std::optional<Error> error = text_.read_at(next_, wanted, buffer_);
    next_ += buffer_.size() - before;
    return !error && buffer_.size() > before;
}

std::string_view PartLines::cut_line(std::size_t end, std::size_t next) {
    std::string_view line = std::string_view(buffer_).substr(begin_, end - begin_);
    line.remove_suffix(!line.empty() && line.back() == '\r' ? 1 : 0);  // a file that went through Windows
    begin_ = next;
    ++count_;
    return line;
}

std::optional<std::string_view> PartLines::next() {
    std::size_t searched = begin_;
    while (true) {
        const std::size_t end = buffer_.find('\n', searched);
        if (end != std::string::npos) {
            return cut_line(end, end + 1);
        }
        searched = buffer_.size() - begin_;
        if (next_ >= end_ && searched != 0 && searched <= kLongestLine) {
            return cut_line(buffer_.size(), buffer_.size());
        }
        if (next_ >= end_ || searched > kLongestLine || !read_more()) {
            stopped_early_ = stopped_early_ || begin_ < buffer_.size() || next_ < end_;
            return std::nullopt;
        }
    }
}

namespace {

constexpr std::size_t kPartPiece = std::size_t{64} << 10U;

Error not_usable(const std::string& name, std::string why) {
    return {ErrorCode::invalid_argument, std::move(why), name, std::nullopt};
}

/// Why the first line cannot be used.
std::string reason_of(report::LineFault fault) {
    return fault == report::LineFault::other_version
               ? fmt::format(
                     "the report is from another version, this is opdebug {}: merge it with its own version, "
                     "or write it again with this one",
                     version())
               : "not a scan report in JSON Lines: the first line must be its begin line; write the report with 'scan "
                 "--format jsonl'";
}

/// Where the last line begins, which may have no line break; nothing when the text is one line.
Result<std::optional<std::uint64_t>> begin_of_last_line(const PartText& text) {
    std::uint64_t end = text.size();
    std::string piece;
    while (end != 0) {
        const std::uint64_t begin = end - std::min<std::uint64_t>(end, kPartPiece);
        piece.clear();
        if (auto error = text.read_at(begin, static_cast<std::size_t>(end - begin), piece)) {
            return *std::move(error);
        }
        if (end == text.size() && !piece.empty() && piece.back() == '\n') {
            piece.pop_back();
        }
        const std::size_t line_break = piece.rfind('\n');
        if (line_break != std::string::npos) {
            return std::optional<std::uint64_t>(begin + line_break + 1);
        }
        end = begin;
    }
    return std::optional<std::uint64_t>();
}

std::optional<Error> read_end(Part& part) {
    part.dumps_end = part.text.size();
    if (part.text.damage()) {
        part.damage = part.text.damage()->message;
        return std::nullopt;
    }
    const Result<std::optional<std::uint64_t>> begin = begin_of_last_line(part.text);
    if (!begin) {
        return begin.error();
    }
    if (!*begin || **begin < part.dumps_begin) {
        return std::nullopt;
    }
    PartLines last(part.text, **begin, part.text.size(), kPartPiece);
    const std::optional<std::string_view> line = last.next();
    part.end = line ? report::read_part_end(*line) : std::nullopt;
    if (part.end) {
        part.dumps_end = **begin;
    }
    return std::nullopt;
}

/// Two reports of one shard have the same first line, also if one is cut. Two other reports are the same if their first
/// and last lines are equal, and if neither is cut.
std::optional<Error> set_id(Part& part) {
    const bool is_shard = part.head.name.shard.has_value();
    std::string lines;
    for (const auto& [begin, end] : {std::pair(std::uint64_t{0}, part.dumps_begin),
                                     {is_shard ? part.text.size() : part.dumps_end, part.text.size()}}) {
        if (auto error = part.text.read_at(begin, static_cast<std::size_t>(end - begin), lines)) {
            return error;
        }
    }
    bytes::Digest digest;
    digest.add(lines);
    digest.add(is_shard || part.end ? "" : part.name);
    part.head.name.id = digest.text();
    return std::nullopt;
}

}  // namespace

Result<Part> open_part(const MergeInput& input, const std::shared_ptr<report::DocumentStore>& unpacked) {
    const std::string name = input.name.empty() ? input.path : input.name;
    Result<PartText> text = PartText::open(input.path, unpacked);
    if (!text) {
        Error error = std::move(text.error());
        error.file = error.code == ErrorCode::write_failed ? error.file : name;
        return error;
    }
    Part part{name, std::move(*text), {}, 0, 0, {}, {}, {}};
    PartLines lines(part.text, 0, part.text.size(), kPartPiece);
    const std::optional<std::string_view> first = lines.next();
    report::ReadHead read =
        first ? report::read_part_head(*first) : report::ReadHead{report::LineFault::not_a_report, {}};
    if (read.fault != report::LineFault::none) {
        const bool damaged_there = part.text.damage() && lines.position() == part.text.size();
        return not_usable(name, damaged_there           ? "its first line is incomplete: " + part.text.damage()->message
                                : part.text.size() == 0 ? "the file is empty"
                                                        : reason_of(read.fault));
    }
    part.head = std::move(read.head);
    part.dumps_begin = lines.position();
    std::optional<Error> error = read_end(part);
    if (!error) {
        error = set_id(part);
    }
    if (error) {
        error->file = name;
        return *std::move(error);
    }
    return part;
}

namespace {

constexpr std::string_view kDisorder = "the dumps are not in report order";

}  // namespace

/// A cut part is reported as cut, so its damaged last line is not counted again.
bool PartReader::fail(std::string_view why) {
    if (part_.end || why == kDisorder) {
        notes_.fault = fmt::format("after its first {} dump{} {}", notes_.dumps, notes_.dumps == 1 ? "" : "s", why);
    }
    return false;
}

/// All dumps that the last line counts must have been there.
bool PartReader::read_end() {
    if (lines_.stopped_early()) {
        return fail("it cannot be read");
    }
    if (part_.end && part_.end->facts.lines != notes_.dumps) {
        return fail(fmt::format("its last line counts {}", part_.end->facts.lines));
    }
    return false;
}

bool PartReader::advance() {
    if (part_.checked && notes_.dumps == part_.checked->dumps) {
        notes_.fault = part_.checked->fault;
        return false;
    }
    const std::optional<std::string_view> line = lines_.next();
    if (!line) {
        return read_end();
    }
    std::optional<report::DumpLine> next = report::read_dump_line(*line);
    if (!next) {
        return fail(
            fmt::format("line {} is damaged or of another report", lines_.count() + 1));  // after the first line
    }
    if (notes_.dumps != 0 && comes_before(next->entry.item, dump_.entry.item)) {
        return fail(kDisorder);
    }
    dump_ = *std::move(next);
    ++notes_.dumps;
    const DumpState state = dump_.entry.item.state;
    notes_.overflowed += state == DumpState::overflowed ? 1U : 0U;
    notes_.clean += state == DumpState::clean ? 1U : 0U;
    return true;
}

PartNotes checked(const Part& part) {
    PartReader run(part, kPartPiece);
    while (run.advance()) {
    }
    return run.notes();
}

}  // namespace opdebug::merge
