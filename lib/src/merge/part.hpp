// One part of a merge: its bytes, its lines, its first and last line, and where its dumps lie between them.
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
    std::uint64_t dumps = 0, overflowed = 0, clean = 0;  ///< those that other parts have as well included
    std::string fault;                                   ///< why it was not read to its end; empty: it was
    bool holds_another = false;                          ///< the fault: another report begins
};

struct Part {
    std::string name;
    PartText text;
    report::PartHead head;
    std::uint64_t dumps_begin = 0, dumps_end = 0;
    std::optional<report::PartEnd> end;  ///< nothing: the part was cut
    report::OrdinaryEnd ordinary_end;    ///< of an ordinary report that was not cut
    std::string damage;                  ///< why it was cut, where that is known
    std::optional<PartNotes> checked;    ///< once all its lines were looked at: no more than these dumps are used
    bool is_completed = false;           ///< it holds dumps of a scan that was cut, and so does another part
};

/// Error: why it cannot be merged, and what to do.
Result<Part> open_part(const MergeInput& input, const std::shared_ptr<report::DocumentStore>& unpacked);

}  // namespace opdebug::merge
