// Packs text as .gz and .zst files hold it.
#pragma once

#include <string>
#include <string_view>

namespace opdebug::test {

std::string gzip_of(std::string_view text);
std::string zstd_of(std::string_view text);

/// What zstdcat prints of a file with these bytes; as much of it as is sound.
std::string zstd_content(std::string_view bytes);

}  // namespace opdebug::test
