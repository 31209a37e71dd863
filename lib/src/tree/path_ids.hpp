// The folders of a path: ids that they name, links among them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <opdebug/tree.hpp>

namespace opdebug::tree {

/// How many links stand in the path as it is written. The working folder has none: the system tells it without.
std::size_t links_in(const std::string& path);

/// Where the path leads, from the root on; empty where it leads nowhere.
std::string real_path(const std::string& path);

/// The ids of the path as it is written; what these leave open is read from `real_path` (docs/format.md,
/// "Directories"). Empty: there are no others.
PathIds with_ids_behind_links(PathIds written, const std::string& real_path);

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
