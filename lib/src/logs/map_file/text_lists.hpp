// Lists of texts in a saved map.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <opdebug/bytes.hpp>

#include "logs/packing/packed_numbers.hpp"
#include "logs/packing/shared_texts.hpp"

namespace opdebug::logs::map_file {

/// How many, then each.
void write_texts(std::span<const std::string_view> texts, ByteWriter& out);
/// They live as long as the bytes.
std::vector<std::string_view> read_texts(ByteReader& in);

/// The texts that the facts of each process share. Null: none.
std::string shared_texts_section(std::span<const SharedTexts* const> of_processes);
/// Nothing when they are not those of so many processes. They live as long as the section.
std::optional<std::vector<std::vector<std::string_view>>> read_shared_texts(Bytes section, std::size_t processes);

}  // namespace opdebug::logs::map_file
