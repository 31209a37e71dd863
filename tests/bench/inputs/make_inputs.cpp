// opdebug_make_benchmark_inputs: the same files for the same arguments.
#define DOCTEST_CONFIG_IMPLEMENT  // the builders use its checks
#include <doctest/doctest.h>

#include <cstdio>
#include <exception>
#include <fstream>
#include <string>
#include <vector>

#include "api_dumps.hpp"
#include "dumps.hpp"
#include "job_log.hpp"

namespace {

constexpr const char* kUsage =
    "usage: opdebug_make_benchmark_inputs tree FOLDER DUMPS        each with its operator's dump, 10 in a folder\n"
    "       opdebug_make_benchmark_inputs bare-tree FOLDER DUMPS   without the operators' dumps\n"
    "       opdebug_make_benchmark_inputs folder FOLDER DUMPS      all in one folder\n"
    "       opdebug_make_benchmark_inputs api FOLDER RANKS CALLS [BAD]   a step of msprobe's, a kilobyte a call\n"
    "           from call BAD on nearly all have NaN, and every tenth is an all_reduce\n"
    "       opdebug_make_benchmark_inputs log FILE MEGABYTES [DUMPS [LAUNCHES]]\n"
    "           tells of the first DUMPS (2000) dumps of a tree; of 1000 lines LAUNCHES (60) are launch lines\n";

int write_log(const std::vector<std::string>& arguments) {
    opdebug::bench::LogShape shape;
    shape.bytes = std::stoull(arguments[2]) << 20U;
    shape.overflows = arguments.size() > 3 ? std::stoull(arguments[3]) : shape.overflows;
    shape.launches_in_1000 = arguments.size() > 4 ? std::stoull(arguments[4]) : shape.launches_in_1000;
    std::ofstream file(arguments[1], std::ios::binary);
    write_job_log(shape, file);
    file.close();
    return file ? 0 : (std::fprintf(stderr, "cannot write %s\n", arguments[1].c_str()), 1);
}

int make_inputs(const std::vector<std::string>& arguments) {
    using namespace opdebug::bench;
    const std::string what = arguments.empty() ? "" : arguments[0];
    if (what == "log" && arguments.size() >= 3 && arguments.size() <= 5) {
        return write_log(arguments);
    }
    if ((what == "tree" || what == "bare-tree") && arguments.size() == 3) {
        write_tree(arguments[1], std::stoull(arguments[2]), what == "tree");
        return 0;
    }
    if (what == "folder" && arguments.size() == 3) {
        write_flat_folder(arguments[1], std::stoull(arguments[2]));
        return 0;
    }
    if (what == "api" && (arguments.size() == 4 || arguments.size() == 5)) {
        ApiStep step{std::stoull(arguments[2]), std::stoull(arguments[3]), std::nullopt};
        if (arguments.size() == 5) {
            step.first_bad = std::stoull(arguments[4]);
        }
        write_api_dumps(arguments[1], step);
        return 0;
    }
    return std::fputs(kUsage, stderr), 2;
}

}  // namespace

int main(int count, char** arguments) {
    try {
        return make_inputs({arguments + 1, arguments + count});
    } catch (const std::exception& problem) {
        return std::fprintf(stderr, "%s: %s\n", arguments[0], problem.what()), 1;
    }
}
