// Reads the maps of a folder, each of which must be one: a map of an earlier form is refused at its first bytes, and
// all that the fuzz target does with it then holds. Findings about maps that are refused are called refused_...
#include <cstdio>
#include <filesystem>
#include <string>

#include "logs/map_file/map_file.hpp"
#include "map_in_clear.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;

namespace {

bool is_read(const std::filesystem::path& path) {
    const std::string file = test::read_file(path);
    const Bytes bytes{std::string_view(file)};
    const std::string map = logs::is_map_file(bytes) ? file : fuzz::packed_map(bytes);
    const auto contents = logs::read_map_bytes(Bytes(std::string_view(map)), std::nullopt);
    if (!contents) {
        std::fprintf(stderr, "%s: %s\n", path.c_str(), contents.error().message.c_str());
    }
    return contents.ok();
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        return std::fprintf(stderr, "usage: %s FOLDER\n", arguments[0]), 2;
    }
    int read = 0;
    int failures = 0;
    for (const auto& entry : std::filesystem::directory_iterator(arguments[1])) {
        if (entry.path().filename().string().starts_with("refused_")) {
            continue;
        }
        if (is_read(entry.path())) {
            ++read;
        } else {
            ++failures;
        }
    }
    std::printf("%d maps were read\n", read);
    return read > 0 && failures == 0 ? 0 : 1;
}
