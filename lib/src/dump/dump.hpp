// What every way to a decoded dump shares: names and time of the file, remarks on status words.
#pragma once

#include <string>
#include <string_view>

#include <opdebug/dump.hpp>

#include "bytes/open_folder.hpp"

namespace opdebug::dump_stage {

/// Sets file, name, path ids and the name's time; remarks on an unusual spelling. `real_name`: empty, or the name that
/// stands for the file's own. A converted output carries the name of its dump.
void set_names(Dump& dump, const std::string& file, std::string_view real_name = {});

/// decode_file() where the file's real name was looked up already, or could not be. `folder`: that of the file, where
/// it is open; may be null.
Result<Dump> decode_named_file(const std::string& path, const Result<std::string>& real_name,
                               const DecodeOptions& options, const bytes::OpenFolder* folder = nullptr);

/// Brings the remarks on status words up to the dump, each with the unit it speaks of.
void lift_status_remarks(Dump& dump);

}  // namespace opdebug::dump_stage
