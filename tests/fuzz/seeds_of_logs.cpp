// Logs, task maps of them, and definitions of log formats.
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>

#include "build_paths.hpp"
#include "log_builder.hpp"
#include "logs/formats/formats.hpp"
#include "logs/saved_map/map_tables.hpp"
#include "logs/saved_map/saved_map.hpp"
#include "seeds.hpp"
#include "sound_map.hpp"

namespace opdebug::fuzz {

using namespace test;

namespace {

LogText training_log() {
    LogText log;
    log.at(0).set_up_stream(7).at(10).bind(36, 7, "tiny");
    log.at(20).save_dump_task("net/mul_1", 7, 57).at(21).launch(9, 0, "0_1_net/add_2").at(22).sent(9, 12);
    log.at(23).save_dump_context("net/conv_3", 8, 3, 1, 2).launch_2023(9, 13, "te_add_1").launch_2021(9, 14, "k");
    log.at(30).kernel_trace("net/sub_4", 8, 4).at(40).unbind(36, 7, "tiny").at(50).free_stream(7);
    return log;
}

/// Lines of each kind that differ in numbers, times and names.
LogText lines_alike() {
    LogText log;
    int task = 20;
    for (const char* kernel : {"te_matmul_0", "aclnnAddmm_1", "te_matmul_2"}) {
        log.at(task).launch(9, 0, kernel).sent(9, task);
        ++task;
    }
    log.at(40).bind(36, 7, "tiny").bind(37, 7).bind(38, 7, "tiny (2), of two");
    log.at(50).save_dump_task("layer_1/mul", 7, 57).save_dump_task("layer_21/add_norm", 7, 1058);
    return log;
}

/// Patterns that cost much in a regular-expression library, each in the location of the example's.
constexpr const char* kPatterns[] = {
    R"((a{1000}){0,1000})",
    R"(((((\S{0,100}){0,100}){0,100}){0,100}){0,100})",
    R"((?:(?R))?)",
    R"((?R))",
    R"((|(?1))*)",
    R"(((\S*)*\S+)*!?)",
    R"((?<=(a|bb))?)",
    R"(\g{-5})",
    R"((?(DEFINE)(?<x>a))(?&x)?)",
    R"((?(R)a|b)?(?(1)a|b)?)",
    R"((*COMMIT)(*ACCEPT))",
    R"((?|(a)|(b))?)",
    R"([[.ae.][=a=][:alpha:]\x{110000}]*)",
    R"(\S{0,4294967295})",
    R"(\S{99999999999999999999,})",
    R"((?>\S*+))",
};

void write_patterns(const Seeds& seeds) {
    const std::filesystem::path example =
        std::filesystem::path(source_folder) / "testdata/log-formats-example/my-launch.json";
    nlohmann::ordered_json file = nlohmann::ordered_json::parse(read_file(example));
    nlohmann::ordered_json& pattern = file["formats"][0]["pattern"];
    const std::string usual = pattern.get<std::string>();
    for (std::size_t i = 0; i < std::size(kPatterns); ++i) {
        pattern = kPatterns[i] + usual;
        seeds.add(fmt::format("pattern_{}", i), file.dump(1));
    }
    pattern = std::string(500, '(') + usual + std::string(500, ')');
    seeds.add("pattern_of_parentheses", file.dump(1));
}

}  // namespace

void write_logs(const Seeds& lines, const Seeds& texts) {
    std::map<std::string, std::string> of_mark, of_file;
    for (const logs::FormatDefinition* format : logs::built_in_log_formats()->definitions()) {
        for (const std::string& sample : format->samples) {
            of_mark[format->catalogue] += sample + "\n";
        }
        if (!format->samples.empty()) {
            of_file[std::filesystem::path(format->file).stem()] += format->samples.front() + "\n";
        }
    }
    for (const auto& [mark, samples] : of_mark) {
        lines.add("samples_" + mark, samples);
    }
    for (const auto& [file, samples] : of_file) {
        texts.add("first_samples_" + file, samples);
    }
    texts.add("training_run", training_log().text());
}

void write_maps(const Seeds& seeds) {
    const std::string run = training_log().text() + LogText(5101).at(5).set_up_stream(1).text();
    for (const auto& [name, text] :
         {std::pair("training_run", run), {"lines_alike", lines_alike().text()}, {"empty", std::string()}}) {
        const std::string map = saved_map_of(text);
        seeds.add(std::string(name), map);
        const Result<logs::SavedMap> read = logs::SavedMap::of_bytes(map);
        seeds.add(std::string(name) + "_tables", logs::write_tables(read->tables()));
        for (const logs::KeyPage& page : read->tables().task_pages) {
            seeds.add(std::string(name) + "_page", *read->content(page.part));
        }
    }
}

void write_log_formats(const Seeds& seeds) {
    write_patterns(seeds);
    std::map<std::string, bool> seen;
    const auto formats = list_log_formats();
    for (const LogFormatInfo& format : *formats) {
        if (!seen[format.states]) {
            seen[format.states] = true;
            const bool alone = format.completed_by.empty();  // else what it is completed by must be in the file
            if (alone) {
                seeds.add("states_" + format.states, log_formats_to_json({format}));
            }
        }
    }
}

}  // namespace opdebug::fuzz
