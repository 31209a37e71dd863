// What the pages for people, text and HTML, take from a scan report: the first overflow, how it spread over the ranks,
// the operators, and texts that both show.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

#include "report/scan/scan_contents.hpp"

namespace opdebug::report {

/// How many dumps overflowed; where the scan was stopped, also how many were found.
std::string scan_title(const ScanContents& page, Language language);

/// That there is no overflow, as far as the dumps could be read.
std::string_view no_overflow_words(const ScanCounts& counts, Language language);

/// Hands out every dump in report order until `use` returns false.
void each_entry(const ScanContents& page, const std::function<bool(const ScanEntry&)>& use);

/// The first `most` of the dumps that failed, in order; scan.counts.failed is how many there are.
std::vector<ScanEntry> failed_of(const ScanContents& page, std::size_t most);

/// The first overflow in words of a language; empty if there is none.
FirstWords first_words_of(const ScanContents& page, Language language);

/// The cause of the built-in catalogue; null: it has none of this id. Static storage.
const CauseDefinition* cause_definition(std::string_view id);

/// The name of a cause for people: that of the built-in catalogue, with the unit in front where it is not an AI Core.
/// "UNIT.undocumented" is expressed in words; any other unknown id stays as it is.
std::string cause_name(std::string_view id, Language language);

/// "name (type)", with what is known, made printable; empty: nothing is.
std::string show_operator(std::string_view name, std::string_view type);

/// The dumps of one rank, or of one device where no rank is known.
struct RankSpread {
    std::string host;  ///< of a device; empty: unknown, or a rank
    std::optional<std::uint64_t> rank, device, step;
    std::optional<std::uint64_t> first_us;
    std::vector<std::string> operators;  ///< of the step, in the order of their first overflow, each once
};

/// All dumps of one operator, whatever their causes.
struct OperatorRow {
    std::string name, type;  ///< both empty: unknown
    std::uint64_t count = 0;
    std::set<std::uint64_t> ranks, steps;
    std::set<std::pair<std::string, std::uint64_t>> devices;  ///< of hosts
    std::set<std::string> causes;                             ///< ids
    std::optional<std::uint64_t> first_us;
};

struct ScanAnswer {
    std::optional<ScanItem> first;       ///< nothing: no overflow
    std::optional<std::int64_t> margin;  ///< microseconds from the first overflow to that of the next rank or device
    bool has_ranks = false;              ///< the spread is of ranks, not of devices
    std::uint64_t ranks = 0;             ///< with overflows, in all steps
    std::vector<RankSpread> spread;      ///< by first overflow; of the first's step, or of all with lists.ranks
    std::vector<OperatorRow> operators;  ///< by first overflow, in report order
    std::map<std::string, std::uint64_t> failures;  ///< code: dumps
};

/// Reads every dump once. The filter of the options chooses dumps for `spread` and `operators`; the first is that of
/// all dumps.
ScanAnswer answer_of(const ScanContents& page);

/// The time zone of the run, as the first overflow shows it.
inline std::optional<int> zone_of(const ScanAnswer& answer) {
    return answer.first ? answer.first->utc_offset_minutes : std::nullopt;
}

/// "1.349 s before any other rank": empty for a second or less. The clocks of hosts differ.
std::string margin_of(const ScanAnswer& answer, Language language);

/// "first: uncertain, 3 dumps of 2 ranks may be earlier": empty if nothing may be earlier.
std::string doubts_of_first(const FirstRivals& rivals, Language language);

/// What to do about the first overflow, most urgent first, each once. The step for an unknown operator is in `words`.
std::vector<std::string> next_steps_of(const ScanContents& page, const ScanItem& item, const FirstWords& words,
                                       Language language);

/// How often an operator overflowed, with all its causes and in the whole scan: codes of remarks, at most one of
/// every_step, recurring and one_off, then the suspicions.
std::vector<std::string> pattern_of(const OperatorRow& row, const ScanOverview& overview);

}  // namespace opdebug::report
