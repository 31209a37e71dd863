// Parts of a file → payloads of a dump: the outputs of a container, and further dumps that were appended to the file.
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

/// Faults that are listed one by one; real dumps have one output, so more come from a damaged header.
constexpr std::uint64_t kListedFaults = 16;

/// Faults that cost only a part of a file: the first ones, and how many there are.
struct PartFaults {
    std::vector<Error> listed;
    std::uint64_t count = 0;
};
void add_fault(PartFaults& faults, const Error& fault);

/// Brings the faults into dump.diagnostics and marks that records are missing. `parts`: what the faults belong to, a
/// phrase.
void report_faults(const PartFaults& faults, std::string_view parts, Dump& dump);

/// How many records a file may still give.
struct RecordBudget {
    explicit RecordBudget(const Limits& all) : limits(all), left(all.records) {}

    const Limits& limits;
    std::uint64_t left;
    bool passed = false;  ///< there are more, which are left out
};

/// Takes the payload's records out of the budget; those that it has not are left out.
void keep_within(RecordBudget& budget, DecodedPayload& payload);

/// Says that records were left out, if any were.
void report_left_out(const RecordBudget& budget, Dump& dump);

/// Decodes every output into dump.payloads. One bad output costs only itself; the error returned means that none was
/// usable: not_an_overflow_dump, no_output, payload_is_input, or the first output's fault.
std::optional<Error> decode_outputs(Bytes bytes, const container::Contents& contents, const StatusCatalogue& catalogue,
                                    RecordBudget& budget, Dump& dump);

/// Where the dump ends, of the bytes that may be its own: where its header says, or with them when they are cut. To a
/// v1 message belongs all that follows where no field can be read (check_end_of_message()).
std::size_t end_of(const container::Contents& contents, Bytes bytes);

/// Adds the records of further, different dumps behind the first, whose bytes end at `first_end`, and remarks on
/// everything that stands there. Each dump has the bytes up to the next of `begins` (further_dump_begins()) or to the
/// end of the file: what is there of it is decoded. A remark appended_dump stands before every fault of such a dump.
void decode_appended(Bytes bytes, std::size_t first_end, const std::vector<std::size_t>& begins,
                     const StatusCatalogue& catalogue, RecordBudget& budget, Dump& dump);

/// The places behind byte 0 where a dump begins for certain, in order: the whole header is there, it begins with the
/// version (nano: has the magic) and names an overflow dump. Headers of more than 256 bytes are not found, nor are
/// outputs of version 1 behind eight other fields: real headers have less than 100 bytes, and so the time for hostile
/// bytes is bounded.
std::vector<std::size_t> further_dump_begins(Bytes bytes, const Limits& limits);

}  // namespace opdebug::dump_stage
