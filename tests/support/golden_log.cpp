// Logs of whole runs, through the public interface.
#include "golden_log.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <utility>

#include <doctest/doctest.h>

#include "log_builder.hpp"
#include "saved_map.hpp"
#include "shown_facts.hpp"
#include "temporary_directory.hpp"

namespace opdebug::test {
namespace {

std::shared_ptr<const TaskMap> read(const std::string& path, const ReadLogsOptions& options) {
    const Result<ReadLogs> logs = read_logs({path}, options);
    REQUIRE_MESSAGE(logs.ok(), path);
    CHECK(logs.value().failures.empty());
    CHECK(logs.value().diagnostics.empty());
    return logs.value().task_map;
}

std::string places(const std::vector<Evidence>& evidence) {
    std::vector<std::pair<std::string, std::uint64_t>> lines;
    for (const Evidence& item : evidence) {
        const std::string name = std::filesystem::path(item.file).filename().string();
        lines.emplace_back(name.substr(0, name.find_first_of("_.")), item.line.value_or(0));
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const auto& [file, number] : lines) {
        text += (text.empty() ? "" : " ") + file + ":" + std::to_string(number);
    }
    return text;
}

void check_same(const Location& location, const Location& expected) {
    CHECK(shown(location.op) == shown(expected.op));
    CHECK(candidates_of(location) == candidates_of(expected));
    CHECK(shown(location.model) == shown(expected.model));
    CHECK(operator_lines(location) == operator_lines(expected));
    CHECK(model_lines(location) == model_lines(expected));
}

}  // namespace

Location located(const std::vector<LogFile>& files, const RecordIds& ids, std::int64_t milliseconds) {
    const TemporaryDirectory folder;
    for (const LogFile& file : files) {
        const bool begins_below = !file.lines.empty() && file.lines.front() == '\n';
        write_file(folder.path() / "logs" / file.path, std::string_view(file.lines).substr(begins_below ? 1 : 0));
    }
    const Dump dump = dump_of(ids, milliseconds);
    const std::shared_ptr<const TaskMap> map = read(folder / "logs", {});
    Location location = locate_in(map, dump);

    ReadLogsOptions for_this;
    for_this.wanted.emplace();
    add_wanted(dump, *for_this.wanted);
    check_same(locate_in(read(folder / "logs", for_this), dump), location);

    const std::string saved = write_file(folder.path() / "saved.map", test::saved({folder / "logs"}));
    const std::shared_ptr<const TaskMap> of_map = read(saved, {});
    CHECK(shown_facts(*of_map) == shown_facts(*map));
    check_same(locate_in(of_map, dump), location);
    CHECK(shown_facts(*read(saved, for_this)) == shown_facts(*read(folder / "logs", for_this)));
    return location;
}

Location located(std::string_view lines, const RecordIds& ids, std::int64_t milliseconds) {
    return located({{std::string(host_log), std::string(lines)}}, ids, milliseconds);
}

std::string operator_lines(const Location& location) {
    return location.op ? places(location.op->best.evidence) : "none";
}

std::string model_lines(const Location& location) {
    return location.model ? places(location.model->evidence) : "none";
}

}  // namespace opdebug::test
