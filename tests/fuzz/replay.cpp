// Gives every file of a folder to a fuzz target, without libFuzzer, so that any compiler and sanitizer can. Each is
// in a heap block of exactly its size: AddressSanitizer and valgrind see a read of one byte too many.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "target.hpp"

namespace {

int replay(const std::filesystem::path& path) {
    const auto size = static_cast<std::size_t>(std::filesystem::file_size(path));
    const std::unique_ptr<std::uint8_t[]> block(new std::uint8_t[size]);
    std::ifstream file(path, std::ios::binary);
    if (size > 0 && !file.read(reinterpret_cast<char*>(block.get()), static_cast<std::streamsize>(size))) {
        return std::fprintf(stderr, "%s: cannot be read\n", path.c_str()), 1;
    }
    std::printf("%s (%zu bytes)\n", path.filename().c_str(), size);
    std::fflush(stdout);  // the last name reported is that of the input that ends the program
    LLVMFuzzerTestOneInput(block.get(), size);
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        return std::fprintf(stderr, "usage: %s FOLDER\n", arguments[0]), 2;
    }
    std::vector<std::filesystem::path> files;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(arguments[1], failure)) {
        files.push_back(entry.path());
    }
    if (failure || files.empty()) {
        return std::fprintf(stderr, "%s: there is no input to replay\n", arguments[1]), 1;
    }
    std::sort(files.begin(), files.end());
    int failures = 0;
    for (const std::filesystem::path& file : files) {
        failures += replay(file);
    }
    std::printf("%zu inputs\n", files.size());
    return failures == 0 ? 0 : 1;
}
