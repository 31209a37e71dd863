// Writes the seeds. opdebug_fuzz_seeds FOLDER writes FOLDER/<subject>/<name>; tests/fuzz/run.sh seeds writes them to
// testdata/fuzz.
#define DOCTEST_CONFIG_IMPLEMENT  // the builders use its checks
#include "seeds.hpp"

#include <cstdio>

#include <doctest/doctest.h>

#include "build_paths.hpp"

using namespace opdebug::fuzz;
using namespace opdebug::test;

namespace {

/// The files of a folder of lib/data or testdata as they are.
void copy_files(const Seeds& seeds, const std::string& folder) {
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(source_folder) / folder)) {
        if (entry.path().extension() == ".json") {
            seeds.add(entry.path().stem().string(), read_file(entry.path()));
        }
    }
}

std::string nested_objects(int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) {
        text += R"({"a":)";
    }
    return text + "1" + std::string(static_cast<std::size_t>(depth), '}');
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        return std::fprintf(stderr, "usage: %s FOLDER\n", arguments[0]), 2;
    }
    const std::filesystem::path folder = arguments[1];
    write_records({folder, "record"});
    write_containers({folder, "container"});
    write_op_dumps({folder, "op_dump"});
    write_converted({folder, "converted_json"});
    write_names({folder, "file_name"});
    write_mappings({folder, "mapping"});
    write_api_dumps({folder, "api_dump"});
    write_traces({folder, "api_trace"});
    write_logs({folder, "log_line"}, {folder, "log_text"});
    write_log_formats({folder, "log_format_file"});
    copy_files({folder, "log_format_file"}, "testdata/log-formats-example");
    copy_files({folder, "status_catalogue"}, "lib/data/status");
    write_maps({folder, "task_map"});
    for (const char* subject : {"converted_json", "status_catalogue", "log_format_file"}) {
        const Seeds seeds(folder, subject);
        seeds.add("deep_lists", std::string(4000, '['));
        seeds.add("deep_objects", nested_objects(600));
        seeds.add("empty", std::string_view());
    }
    return 0;
}
