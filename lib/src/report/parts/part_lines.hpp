// Partial reports for merging: the facts of a part, its lines written and read, and the lines of ordinary reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/scan_overview.hpp>
#include <opdebug/scan_report.hpp>

#include "report/entries/scan_entry.hpp"
#include "report/json/json_writer.hpp"

namespace opdebug::report {

/// Which part of which scan it is.
struct PartName {
    std::string id;    ///< 16 hex digits over all that it holds: the same part twice has the same
    std::string host;  ///< empty: unknown
    std::vector<std::string> inputs;
    std::optional<ScanShard> shard;
    ScannedTree tree;
    /// The part was cut, and so many of its first dumps are there, or more; nothing: it is whole.
    std::optional<std::uint64_t> cut;
};

/// Behind the part's dumps. A part that was cut tells nothing of it.
struct PartFacts {
    PartName name;
    std::uint64_t op_dumps = 0, other_files = 0;
    bool complete = true;
    /// Dumps that count without being told, for the part was an ordinary report: see opdebug/merge.hpp.
    std::uint64_t unlisted_overflowed = 0, unlisted_clean = 0;
    ScanDamage damage;
    std::vector<Error> failures;          ///< paths and folders, not dumps
    std::vector<Diagnostic> diagnostics;  ///< without those on damage
    std::optional<ScanApiDumps> api;      ///< nothing: the scan saw no API dump
};

/// Of a scan that has ended; the id is empty.
PartFacts facts_of(const Scan& scan, const std::string& host);

void write_part_api(const ScanApiDumps& api, JsonWriter& json);

/// `sound` becomes false when members are not what they should be.
ScanApiDumps read_part_api(const nlohmann::json& object, bool& sound);

/// What the member "api" of an ordinary report tells; the remarks on ties are among those on the dumps.
ScanApiDumps read_ordinary_api(const nlohmann::json& object, bool& sound);

/// Of the lines that only partial reports have.
constexpr std::uint64_t kPartVersion = 1;

/// What the first line says.
struct PartHead {
    std::string generated_by;
    bool ordinary = false;    ///< it is no partial report: what follows, but for the inputs of one part, is not told
    std::optional<bool> all;  ///< nothing: no dump shows it
    bool tensors = false;
    std::optional<std::uint64_t> first;
    std::vector<PartName> parts;  ///< several: it is merged already
};

/// A dump: in front of its rows and its record document, where these are told.
struct DumpLine {
    ScanEntry entry;
    bool rows = false, document = false;  ///< a line with them follows, in this order
};

/// What the last line says.
struct PartEnd {
    std::vector<PartFacts> parts;              ///< in the order of the first line, without their names
    std::string first_english, first_chinese;  ///< the first overflow for people; empty: none
    std::optional<std::uint64_t> dumps;        ///< that have a line; read alone
};

void write_part_head(const PartHead& head, JsonWriter& json);  ///< the member "partial" of the first line
void write_part_end(const PartEnd& end, JsonWriter& json);     ///< the members "parts" and "first_text" of the last
std::string dump_line(const DumpLine& dump);
std::string rows_line(std::string_view rows);
/// What one scan was, without its name: what its digest goes over beside its dumps.
std::string facts_text(const PartFacts& facts);

/// Why a line cannot be read: `other_version` when a newer program may have written it.
enum class LineFault { none, not_a_report, other_version };

struct ReadHead {
    LineFault fault = LineFault::none;
    PartHead head;
};
ReadHead read_part_head(std::string_view line);

/// Nothing when the line is not of that kind, or its members are not what they should be.
std::optional<DumpLine> read_dump_line(std::string_view line);
std::optional<std::string> read_rows_line(std::string_view line);
/// Whether the line is a record document and sound JSON; its members are not looked at.
bool is_document_line(std::string_view line);
/// `parts`: as many as the first line names.
std::optional<PartEnd> read_part_end(std::string_view line, std::size_t parts);

/// A dump of the timeline, as its record document tells it.
struct DocumentedDump {
    /// Remarks are the dump's own or its tensors'. The tensors are not there, nor the time of a further dump in the
    /// file.
    ScannedDump scanned;
    ScanItem item;
    bool tensors = false;  ///< it was scanned with tensors
};
/// Nothing when the line is no record document of a dump that overflowed or is clean.
std::optional<DocumentedDump> read_record_document(std::string_view line);

/// What the last line says.
struct OrdinaryEnd {
    ScanCounts counts;
    bool tensors = false;
    std::vector<ScanEntry> failed;   ///< in report order
    std::vector<Diagnostic> doubts;  ///< first_uncertain: found again where all overflowed dumps are listed
    PartFacts facts;                 ///< remarks on damage stay as they are, for its numbers are not known
};
std::optional<OrdinaryEnd> read_ordinary_end(std::string_view line);

}  // namespace opdebug::report
