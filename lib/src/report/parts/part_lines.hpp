// The lines that a partial report has beside those of an ordinary one (docs/json-output.md, "Partial reports"): written
// here, and read again for a merged report. Texts come back byte for byte, also those that are not UTF-8.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/scan_report.hpp>

#include "report/entries/scan_entry.hpp"
#include "report/json/json_writer.hpp"
#include "report/parts/part_facts.hpp"

namespace opdebug::report {

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

}  // namespace opdebug::report
