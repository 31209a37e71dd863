// opdebug_make_damaged FOLDER DUMPS LOG_MEGABYTES SEED LONGEST_LINE
#define DOCTEST_CONFIG_IMPLEMENT  // the builders use its checks
#include <doctest/doctest.h>

#include "make_damaged.hpp"

#include <cstdio>
#include <string>

int main(int count, char** arguments) {
    using namespace opdebug::damage;
    if (count != 6) {
        return std::fprintf(stderr, "usage: %s FOLDER DUMPS LOG_MEGABYTES SEED LONGEST_LINE\n", arguments[0]), 2;
    }
    const std::filesystem::path folder = arguments[1];
    Random random(std::stoull(arguments[4]));
    const std::uint64_t bytes = write_damaged_dumps(folder, std::stoull(arguments[2]), random);
    write_damaged_logs(folder, std::stoull(arguments[3]) << 20U, std::stoull(arguments[5]), random);
    std::printf("%s damaged dumps of %llu bytes, %s MiB of damaged logs, seed %s\n", arguments[2],
                static_cast<unsigned long long>(bytes), arguments[3], arguments[4]);
    return 0;
}
