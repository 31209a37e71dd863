// Step, rank and process of an API dump, from the folders that it lies in (docs/api-dumps.md, "Folders").
#pragma once

#include <string>

#include <opdebug/api_dump.hpp>

namespace opdebug::api_dump {

/// Sets step, rank, process and version of the file by its path. `file.source` must be set.
void read_place(const std::string& path, ApiFile& file);

}  // namespace opdebug::api_dump
