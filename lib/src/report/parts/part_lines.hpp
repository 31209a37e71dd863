// The dumps of a report in report order, and the lines of a report as `merge` needs them: written by scans, read by
// merges. Members: docs/reference/json.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/ptr_container/ptr_vector.hpp>

#include <opdebug/report.hpp>
#include <opdebug/result.hpp>
#include <opdebug/scan.hpp>

#include "report/json/json_writer.hpp"
#include "report/parts/document_store.hpp"
#include "report/text/answer_words.hpp"

namespace opdebug::report {

struct ScanEntry {
    ScanItem item;
    DocumentStore::Span document;               ///< its record document in one line; clean dumps have one with `all`
    std::string failure_code, failure_message;  ///< state failed
};

/// All dumps of a report, each in memory of its own: entries are large, and a list that grows or is put in order would
/// move every one of them.
using ScanEntries = boost::ptr_vector<ScanEntry>;

/// Chooses the dumps of the timeline among all, which come in report order: overflowed ones, with `all` the clean ones
/// too, at most `first` of them.
class TimelineChoice {
public:
    explicit TimelineChoice(const ScanReportOptions& options) : options_(options) {}

    bool takes(const ScanEntry& entry) {
        const DumpState state = entry.item.state;
        const bool belongs = state == DumpState::overflowed || (state == DumpState::clean && options_.all);
        return belongs && !is_full() && matches(options_.filter, entry.item) && ++taken_ != 0;
    }
    bool is_full() const noexcept { return options_.first && taken_ >= *options_.first; }

private:
    const ScanReportOptions& options_;
    std::uint64_t taken_ = 0;
};

/// A dump while it is its turn.
struct DumpInOrder {
    const ScanEntry& entry;
    /// The record document; empty: none. Valid until the next dump. Error: read_failed.
    std::function<Result<std::string_view>()> document;
};

/// Takes a dump; false: no more are wanted. Error: nothing more can be written.
using UseDump = std::function<Result<bool>(const DumpInOrder&)>;

/// Hands out every dump in report order. Errors: read_failed, those of the function.
using EachDump = std::function<std::optional<Error>(const UseDump&)>;

constexpr std::uint64_t kPartVersion = 3;

/// "merge" of the first line. That of the last line is the facts without the name.
struct PartName {
    std::uint64_t version = kPartVersion;
    std::string id;    ///< set by a merge: that of copies of one report, and of reports of one shard
    std::string host;  ///< empty: unknown
    std::vector<std::string> inputs;
    std::optional<ScanShard> shard;
    ScannedTree tree;
};

/// What a scan reports apart from its dumps.
struct PartFacts {
    PartName name;
    std::uint64_t lines = 0;  ///< dumps that have a line
    std::uint64_t op_dumps = 0, other_files = 0;
    bool complete = true;
    std::uint64_t unlisted_overflowed = 0,
                  unlisted_clean = 0;  ///< set by a merge: dumps that are counted but have no line
    ScanDamage damage;
    std::vector<Error> failures;          ///< paths and folders, not dumps
    std::vector<Diagnostic> diagnostics;  ///< without those on damage
    std::optional<ScanApiDumps> api;      ///< nothing: the scan saw no API dump
};

PartFacts facts_of(const Scan& scan, const std::string& host);

/// "options" of the first line.
struct PartOptions {
    bool all = false, tensors = false;
    std::optional<std::uint64_t> first;
};

/// The first line.
struct PartHead {
    PartOptions options;
    PartName name;
};

/// The first overflow in words of one language.
struct FirstWords : AnswerWords {
    std::string record;               ///< as `decode -v` shows it
    std::string confidence;           ///< candidates and weak matches
    std::vector<std::string> causes;  ///< "AI Core 0x120: floating-point overflow"
};

/// "first_text" of the last line.
struct FirstTexts {
    std::optional<FirstWords> english, chinese;
};

/// The last line.
struct PartEnd {
    ScanCounts counts;
    PartFacts facts;  ///< without the name
    FirstTexts first_text;
};

/// Why a line cannot be read. other_version: a newer program may have written it.
enum class LineFault { none, not_a_report, other_version };

struct ReadHead {
    LineFault fault = LineFault::none;
    PartHead head;
};
ReadHead read_part_head(std::string_view line);
/// Nothing: the line is not the last line of a report.
std::optional<PartEnd> read_part_end(std::string_view line);

/// The line of a dump with a record document.
std::string document_line(std::string_view document, const ScanEntry& entry);
/// The line of a dump without one.
std::string dump_line(const ScanEntry& entry);

/// A dump as its line shows it.
struct DumpLine {
    ScanEntry entry;
    std::string document;  ///< empty: none
};
/// Nothing: the line belongs to no dump, or is damaged.
std::optional<DumpLine> read_dump_line(std::string_view line);

}  // namespace opdebug::report
