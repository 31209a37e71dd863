// One entry of an accelerator payload: its header, and its data as a record.
#pragma once

#include <cstddef>
#include <optional>

#include <opdebug/bytes.hpp>
#include <opdebug/record.hpp>
#include <opdebug/status.hpp>

#include "record/layout.hpp"

namespace opdebug::record {

/// Reads the header of the entry at `offset`, or nothing when it is cut.
std::optional<AcceleratorHeader> read_header(Bytes payload, std::size_t offset);

/// Reads the fields and status words at `data`; all of them are there.
Record read_record(Bytes data, const AcceleratorLayout& layout, const AcceleratorHeader& header,
                   const StatusCatalogue& catalogue);

}  // namespace opdebug::record
