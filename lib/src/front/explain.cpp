// A path → everything that is known about the dump, with the text for people.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <opdebug/opdebug.hpp>

#include "front/answer.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

/// The task map of the logs for this dump; null, and the reason among the failures, if nothing could be read.
std::shared_ptr<const TaskMap> map_of_logs(const Dump& dump, const ExplainOptions& options,
                                           std::vector<Error>& failures) {
    ReadLogsOptions reading;
    reading.limits = options.limits;
    add_wanted(dump, reading.wanted.emplace());
    Result<ReadLogs> logs = read_logs(options.logs, reading);
    if (!logs) {
        failures.push_back(std::move(logs).error());
        return nullptr;
    }
    failures = std::move(logs->failures);
    return logs->task_map;
}

}  // namespace

Result<Explanation> explain(const std::string& path, const ExplainOptions& options) {
    DecodeOptions decoding;
    decoding.limits = options.limits;
    Result<Dump> dump = decode_file(path, decoding);
    if (!dump) {
        return std::move(dump).error();
    }
    Explanation explanation;
    LocateOptions locating;
    locating.utc_offset_minutes = options.utc_offset_minutes;
    locating.limits = options.limits;
    if (!options.logs.empty()) {
        locating.task_map = map_of_logs(*dump, options, explanation.log_failures);
    }
    front::Answer answer = front::answer_for(*dump, std::move(locating), options.system_time_zone, options.tensors);
    ReportOptions report;
    report.language = options.language;
    report.tensors = options.tensors;
    report.verbose = options.verbose;
    explanation.text =
        front::text_of(*dump, answer, std::move(report), options.utc_offset_minutes, options.system_time_zone);
    explanation.dump = std::move(dump).value();
    explanation.location = std::move(answer.location);
    explanation.evidence = std::move(answer.evidence);
    return explanation;
}

}  // namespace v0
}  // namespace opdebug
