// Where the folders that ids are read from stand in a path.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/tree.hpp>

namespace opdebug::tree {

/// The rank that a folder's name carries by itself: "rank_3" of MindSpore and msprobe, "worldsize8_global_rank3" of
/// TorchAir.
std::optional<std::uint64_t> rank_of_folder(std::string_view folder) noexcept;

/// Whether the path begins at the root and goes down only: parse_path_ids() then reads what path_ids_as_written() does.
bool shows_all_folders(std::string_view path) noexcept;

/// As path_ids_of_file(), without what lies behind links: it asks the system for the working folder only.
PathIds path_ids_as_written(const std::string& path);

/// The path of the {time} folder that a file lies below, the one that path_ids_as_written() takes PathIds::time from,
/// from the root on. Nothing where it lies below none.
std::optional<std::string> time_folder_of_file(const std::string& path);

/// The same where the path as written shows none: of `real_path`, if links lead there; empty: none do.
std::optional<std::string> time_folder_of_file(const std::string& path, const std::string& real_path);

}  // namespace opdebug::tree
