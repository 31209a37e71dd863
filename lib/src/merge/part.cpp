#include "merge/part.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <opdebug/version.hpp>

#include "bytes/digest.hpp"

namespace opdebug::merge {
namespace {

constexpr std::size_t kPartPiece = std::size_t{64} << 10U;

Error not_usable(const std::string& name, std::string why) {
    return {ErrorCode::invalid_argument, std::move(why), name, std::nullopt};
}

std::string reason_of(report::LineFault fault) {
    switch (fault) {
        case report::LineFault::other_version:
            return fmt::format(
                "the report is of another version than this program merges (opdebug {}): merge with the opdebug that "
                "wrote it, or write it again with this one",
                version());
        default:
            return "this is no report of a scan as JSON lines: the first line should be its begin line (scan --format "
                   "jsonl)";
    }
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
    if (line && part.head.ordinary) {
        if (auto end = report::read_ordinary_end(*line)) {
            part.end = report::PartEnd{{end->facts}, {}, {}, {}};
            part.ordinary_end = *std::move(end);
        }
    } else if (line) {
        part.end = report::read_part_end(*line, part.head.parts.size());
    }
    if (part.end) {
        part.dumps_end = **begin;
    }
    return std::nullopt;
}

/// An ordinary report has no id: the same bytes have the same.
std::optional<Error> name_ordinary(Part& part) {
    bytes::Digest digest;
    std::string piece;
    for (std::uint64_t offset = 0; offset < part.text.size(); offset += kPartPiece) {
        piece.clear();
        if (auto error = part.text.read_at(offset, kPartPiece, piece)) {
            return error;
        }
        digest.add(piece);
    }
    part.head.parts.front().id = digest.text();
    return std::nullopt;
}

/// Whether it was scanned with tensors; the first document says so where the end is missing.
void find_tensors(Part& part) {
    part.head.tensors = part.ordinary_end.tensors;
    if (!part.end) {
        PartLines lines(part.text, part.dumps_begin, part.dumps_end, kPartPiece);
        const std::optional<std::string_view> line = lines.next();
        const auto dump = line ? report::read_record_document(*line) : std::nullopt;
        part.head.tensors = dump && dump->tensors;
    }
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
    Part part{name, std::move(*text), {}, 0, 0, {}, {}, {}, {}, false};
    PartLines lines(part.text, 0, part.text.size(), kPartPiece);
    const std::optional<std::string_view> first = lines.next();
    report::ReadHead read =
        first ? report::read_part_head(*first) : report::ReadHead{report::LineFault::not_a_report, {}};
    if (read.fault != report::LineFault::none) {
        const bool damaged_there = part.text.damage() && lines.position() == part.text.size();
        return not_usable(name, damaged_there           ? "its first line is not whole: " + part.text.damage()->message
                                : part.text.size() == 0 ? "the file is empty"
                                                        : reason_of(read.fault));
    }
    part.head = std::move(read.head);
    part.dumps_begin = lines.position();
    std::optional<Error> error = read_end(part);
    if (part.head.ordinary && !error) {
        find_tensors(part);
        error = name_ordinary(part);
    }
    if (error) {
        error->file = name;
        return *std::move(error);
    }
    return part;
}

}  // namespace opdebug::merge
