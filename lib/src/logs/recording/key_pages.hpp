// Sorted keys with their lines, cut into pages: one key is found without reading the others.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/result.hpp>

#include "logs/recording/map_tables.hpp"

namespace opdebug::logs {

/// `store`: puts the content of a page into the file.
std::vector<KeyPage> write_key_pages(std::vector<KeyedLine>& lines,
                                     const std::function<FilePart(const std::string&)>& store);

/// The pages that may hold one of the keys, which are sorted.
std::vector<KeyPage> pages_with(const std::vector<KeyPage>& pages, const std::vector<LineKey>& keys);

/// Adds the lines of the keys, which are sorted, that the content of a page holds; false where it is malformed.
bool find_lines(Bytes page, const std::vector<LineKey>& keys, std::vector<LineNumber>& lines);

}  // namespace opdebug::logs
