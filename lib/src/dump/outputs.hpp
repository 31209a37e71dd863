// Parts of a file → payloads of a dump: outputs of a container, and dumps that are appended to the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <opdebug/dump.hpp>
#include <opdebug/result.hpp>

#include "container/container.hpp"

namespace opdebug::dump_stage {

/// Maximum number of listed faults. Real dumps have one output, so more faults come from a damaged header.
constexpr std::uint64_t kListedFaults = 16;

/// Faults of parts of a file: the first ones, and their number.
struct PartFaults {
    std::vector<Error> listed;
    std::uint64_t count = 0;
};
void add_fault(PartFaults& faults, const Error& fault);

/// Adds the faults to dump.diagnostics and marks that records are missing. `parts`: subject of the faults.
void report_faults(const PartFaults& faults, std::string_view parts, Dump& dump);

/// Number of records that a file may still contain.
struct RecordBudget {
    explicit RecordBudget(const Limits& all) : limits(all), left(all.records) {}

    const Limits& limits;
    std::uint64_t left;
    bool passed = false;  ///< more records exist and are dropped
};

/// Subtracts the payload's records from the budget. Drops records over the budget.
void keep_within(RecordBudget& budget, DecodedPayload& payload);

/// Reports dropped records, if any.
void report_left_out(const RecordBudget& budget, Dump& dump);

/// Decodes every output into dump.payloads. A bad output costs only itself. An error means that no output was usable:
/// not_an_overflow_dump, no_output, payload_is_input, or the first output's fault.
std::optional<Error> decode_outputs(Bytes bytes, const container::Contents& contents, const StatusCatalogue& catalogue,
                                    RecordBudget& budget, Dump& dump);

/// End of the dump within its possible bytes: from the header, or the end of truncated bytes. A v1 message includes all
/// bytes after it that are no field (check_end_of_message()).
std::size_t end_of(const container::Contents& contents, Bytes bytes);

/// Adds the records of different dumps after the first, whose bytes end at `first_end`, and remarks on all bytes there.
/// Each dump has the bytes up to the next of `begins` (further_dump_begins()) or to the end of the file. A truncated
/// dump is decoded as far as possible. A remark appended_dump precedes every fault of such a dump.
void decode_appended(Bytes bytes, std::size_t first_end, const std::vector<std::size_t>& begins,
                     const StatusCatalogue& catalogue, RecordBudget& budget, Dump& dump);

/// Locations after byte 0 where a dump certainly begins, in order. The header is complete, begins with the version
/// (nano: has the magic) and names an overflow dump.
/// Not found: headers of more than 256 bytes, and outputs of version 1 after eight other fields. Real headers have less
/// than 100 bytes. These limits bound the time for malicious bytes.
std::vector<std::size_t> further_dump_begins(Bytes bytes, const Limits& limits);

}  // namespace opdebug::dump_stage
