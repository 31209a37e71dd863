// What was found to documents.
#include <opdebug/locate.hpp>
#include <opdebug/report.hpp>

#include "samples.hpp"
#include "stages.hpp"

namespace opdebug::bench {
namespace {

Run prepare_records() {
    LocateOptions options;
    options.task_map = sample_task_map();
    options.use_op_dumps = false;
    std::vector<Location> locations;
    for (const SampleDump& dump : sample_dumps()) {
        locations.push_back(locate(dump.decoded, options));
    }
    return [locations] {
        ReportOptions in_one_line;
        in_one_line.one_line = true;
        std::uint64_t bytes = 0;
        for (std::size_t i = 0; i < locations.size(); ++i) {
            bytes += record_to_json(sample_dumps()[i].decoded, locations[i], in_one_line).size();
        }
        return bytes;
    };
}

std::uint64_t convert() {
    std::uint64_t bytes = 0;
    for (const SampleDump& dump : sample_dumps()) {
        for (const ConvertedOutput& output : *dump_to_converter_json(dump.decoded)) {
            bytes += output.json.size();
        }
    }
    return bytes;
}

}  // namespace

std::vector<Stage> report_stages() {
    sample_dumps();
    return {{"report.json_lines", prepare_records}, {"report.converter_json", [] { return Run(convert); }}};
}

}  // namespace opdebug::bench
