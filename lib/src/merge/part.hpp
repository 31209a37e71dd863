// One part of a merge: its bytes, its lines, its first and last line, and the dumps between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <opdebug/merge.hpp>
#include <opdebug/result.hpp>

#include "bytes/file.hpp"
#include "report/entries/document_store.hpp"
#include "report/parts/part_lines.hpp"

namespace opdebug::merge {

class PartText {
public:
    /// Unpacks a packed file into `unpacked`. Errors: those of opening a file; write_failed.
    static Result<PartText> open(const std::string& path, const std::shared_ptr<report::DocumentStore>& unpacked);

    std::uint64_t size() const noexcept { return size_; }
    /// Why a packed file has fewer bytes than it should; the bytes up to there can be read.
    const std::optional<Error>& damage() const noexcept { return damage_; }

    /// Appends up to `count` bytes to `text`, fewer at the end. Error: read_failed.
    std::optional<Error> read_at(std::uint64_t offset, std::size_t count, std::string& text) const;

    /// A plain file is opened for each piece, so that files may be more than may be open at once; this keeps it open.
    void stay_open();

private:
    std::optional<Error> unpack();

    std::string path_;
    std::uint64_t size_ = 0;
    std::optional<bytes::FileReader> file_;
    std::shared_ptr<report::DocumentStore> unpacked_;  ///< null: a plain file
    std::uint64_t begin_ = 0;                          ///< in the unpacked bytes of all parts
    std::optional<Error> damage_;
};

/// The lines of a part, one after the other. The last one may have no line break: a JSON object shows by itself whether
/// it is whole, so whoever reads the line finds a cut.
class PartLines {
public:
    /// From `begin` to `end`, with pieces of so many bytes.
    PartLines(const PartText& text, std::uint64_t begin, std::uint64_t end, std::size_t piece)
        : text_(text), next_(begin), end_(end), piece_(piece) {}

    /// The next line without its line break, also one of CR and LF, until the next call; nothing at the end, and where
    /// reading fails.
    std::optional<std::string_view> next();
    /// Why there is no line although the end is not reached: a line that is too long, or an error.
    bool stopped_early() const noexcept { return stopped_early_; }
    /// Where the next line begins.
    std::uint64_t position() const noexcept { return next_ - (buffer_.size() - begin_); }
    std::uint64_t count() const noexcept { return count_; }

private:
    bool read_more();
    /// What stands before `end`; the next line begins at `next`.
    std::string_view cut_line(std::size_t end, std::size_t next);

    const PartText& text_;
    std::uint64_t next_, end_;
    std::size_t piece_;
    std::string buffer_;
    std::size_t begin_ = 0;  ///< of what was not given yet
    std::uint64_t count_ = 0;
    bool stopped_early_ = false;
};

/// What the dumps of one part gave.
struct PartNotes {
    std::uint64_t dumps = 0, overflowed = 0, clean = 0;  ///< also dumps that other parts have
    std::string fault;                                   ///< why it was not read to its end; empty: it was
    bool holds_another = false;                          ///< the fault: another report begins
};

struct Part {
    std::string name;
    PartText text;
    report::PartHead head;
    std::uint64_t dumps_begin = 0, dumps_end = 0;
    std::optional<report::PartEnd> end;  ///< nothing: the part was cut
    std::string damage;                  ///< why it was cut, if known
    std::optional<PartNotes> checked;    ///< once all lines were read: only these dumps are used
    bool is_completed = false;           ///< has dumps of a scan that was cut, and so has another part
};

/// Whether the part lacks dumps of one of its scans.
bool is_cut(const Part& part, const report::PartName& name);

/// Error: why it cannot be merged, and what to do.
Result<Part> open_part(const MergeInput& input, const std::shared_ptr<report::DocumentStore>& unpacked);

/// The dumps of one part, one after the other.
class PartReader {
public:
    /// The part must outlive its reader. It is read in pieces of so many bytes.
    PartReader(const Part& part, std::size_t piece)
        : part_(part), lines_(part.text, part.dumps_begin, part.dumps_end, piece) {}

    /// Goes on to the next dump; false at the end, and if a line is damaged.
    bool advance();
    const report::DumpLine& dump() const noexcept { return dump_; }

    /// Of the dumps so far, and why reading ended early.
    const PartNotes& notes() const noexcept { return notes_; }

private:
    bool read_end();
    bool fail(std::string_view why);
    bool fail_in_line(std::string_view line);

    const Part& part_;
    PartLines lines_;
    report::DumpLine dump_;
    PartNotes notes_;
};

/// Reads the whole part once.
PartNotes checked(const Part& part);

}  // namespace opdebug::merge
