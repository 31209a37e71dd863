// The parts of a merge: bytes and lines of one part, the dumps of all in order, what the parts report of their scans,
// and which parts there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/result.hpp>

#include "bytes/file.hpp"
#include "report/parts/document_store.hpp"
#include "report/parts/part_lines.hpp"
#include "report/scan/scan_api.hpp"
#include "scan/kernel_overflows.hpp"

namespace opdebug::merge {

class PartText {
public:
    /// Unpacks a compressed file into `unpacked`. Errors: those of opening a file; write_failed.
    static Result<PartText> open(const std::string& path, const std::shared_ptr<report::DocumentStore>& unpacked);

    std::uint64_t size() const noexcept { return size_; }
    /// Why a compressed file has fewer bytes than it should; the bytes up to there can be read.
    const std::optional<Error>& damage() const noexcept { return damage_; }

    /// Appends up to `count` bytes to `text`, fewer at the end. Opens the file for each piece: there may be more parts
    /// than a process may have open files. Error: read_failed.
    std::optional<Error> read_at(std::uint64_t offset, std::size_t count, std::string& text) const;

private:
    std::optional<Error> unpack();

    std::string path_;
    std::uint64_t size_ = 0;
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
    /// What is before `end`; the next line begins at `next`.
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
};

struct Part {
    std::string name;
    PartText text;
    report::PartHead head;
    std::uint64_t dumps_begin = 0, dumps_end = 0;
    std::optional<report::PartEnd> end;  ///< nothing: the part was cut
    std::string damage;                  ///< why it was cut, if known
    std::optional<PartNotes> checked;    ///< once all lines were read: only these dumps are used

    /// Whether it lacks dumps of its scan.
    bool is_cut() const noexcept { return !end || (checked && !checked->fault.empty()); }
};

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

    const Part& part_;
    PartLines lines_;
    report::DumpLine dump_;
    PartNotes notes_;
};

/// Reads the whole part once.
PartNotes checked(const Part& part);

/// Something that happens to several dumps: how many, and one of them with the parts that it is in.
struct SeveralParts {
    std::uint64_t count = 0;
    std::string first;
};

/// What there was to see besides the dumps.
struct PassNotes {
    SeveralParts repeated;   ///< dumps that another part has as well
    SeveralParts differing;  ///< dumps of unnamed hosts whose path and time another part has with other content
    std::vector<PartNotes> parts;
};

/// Takes a dump and the number of its part; false: no more are wanted.
using UseMergedDump = std::function<Result<bool>(const report::DumpInOrder&, std::size_t part)>;

/// Hands out the dumps of all parts in report order. Errors: those of `use`.
std::optional<Error> each_merged_dump(const std::vector<std::shared_ptr<const Part>>& parts, const UseMergedDump& use,
                                      PassNotes& notes);

/// The overflows that ties to API calls need, of all parts: bounded, however many parts there are.
class ApiOverflows {
public:
    /// Moves them out of the facts of the part.
    void extract(Part& part);

    /// The first shard of each scan gets the overflows of all its shards.
    void distribute(std::vector<report::PartFacts>& scans);

private:
    std::map<report::ScanKey, scan_stage::KernelOverflows> by_scan_;
    std::size_t in_memory_ = 0;
};

/// Reports what the merged report lacks because reports without --shard and --host do not list all dumps
/// (part_is_ordinary).
void report_unlisted(const std::vector<report::PartFacts>& scans, std::vector<Diagnostic>& diagnostics);

/// The facts of the checked parts. Those that were cut have a diagnostic of their own (part_cut).
std::vector<report::PartFacts> gather_facts(const std::vector<std::shared_ptr<Part>>& parts);

struct OpenedParts {
    std::vector<std::shared_ptr<Part>> parts;  ///< in the order of their shards
    MergeCounts counts;                        ///< given, merged, repeated, unusable
    std::vector<Diagnostic> diagnostics;       ///< part_unusable, part_repeated
    std::optional<Error> unusable;             ///< of the first that is no part
    ApiOverflows overflows;                    ///< no part has any
};

/// Compressed ones are unpacked into the folder. Error: write_failed, of that folder.
Result<OpenedParts> open_parts(const std::vector<MergeInput>& inputs, const std::string& temporary_folder);

/// Shards that no part is of (part_missing) and shards that saw different trees (trees_differ). Returns how many are
/// missing.
std::uint64_t report_missing(const std::vector<std::shared_ptr<Part>>& parts, std::vector<Diagnostic>& diagnostics);

/// Hosts that scanned only shards of paths that they share with other hosts. Their names do not show where a dump was
/// written.
std::set<std::string, std::less<>> sharing_hosts(const std::vector<std::shared_ptr<Part>>& parts);

}  // namespace opdebug::merge
