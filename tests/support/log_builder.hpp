// Builds the text of a log in the line forms of its modules and years, with names of our own. Texts:
// docs/internals/logs.md. Times are milliseconds after 2026-03-04 10:00:00 of the log's clock.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <opdebug/logs.hpp>

#include "logs/facts/task_map.hpp"

namespace opdebug::test {

/// 2026-03-04 10:00:00 read as UTC, in microseconds since 1970: 56 years with 14 leap days are 20454 days, January,
/// February and three days more make 20516.
constexpr std::int64_t log_begin_us = (20516LL * 86400 + 10 * 3600) * 1'000'000;

/// A time of the log's clock in microseconds since 1970.
constexpr std::int64_t log_time_us(std::int64_t milliseconds) {
    return log_begin_us + milliseconds * 1000;
}

/// One log file under construction. at(), at_us() and thread() hold until the next call.
class LogText {
public:
    explicit LogText(int pid = 5100) : pid_(pid), tid_(pid) {}

    LogText& at(std::int64_t milliseconds);
    LogText& at_us(std::int64_t microseconds);
    LogText& thread(int tid);

    // The line forms of the modules.
    LogText& line(std::string_view level, std::string_view module, std::string_view rest);
    LogText& ge(std::string_view function, std::string_view message, std::string_view level = "INFO");
    LogText& runtime(std::string_view function, std::string_view message, std::string_view level = "INFO");
    LogText& runtime_2021(std::string_view function, std::string_view message, std::string_view level = "INFO");
    LogText& acl(std::string_view function, std::string_view message);
    LogText& device(std::string_view function, std::string_view message);

    // Statements in today's text, unless a year is named.
    LogText& set_up_stream(int stream, int device = 0);
    LogText& free_stream(int stream);
    LogText& bind(int model, int stream, std::string_view name = "");
    LogText& unbind(int model, int stream, std::string_view name = "");
    LogText& save_dump_task(std::string_view op, int stream, int task);
    LogText& save_dump_context(std::string_view op, int stream, int task, unsigned context, unsigned thread);
    LogText& kernel_trace(std::string_view node, int stream, int task);
    LogText& launch(int stream, int printed_task, std::string_view kernel);  ///< the task id is not final yet
    LogText& sent(int stream, int task, int task_type = 0);
    LogText& launch_2023(int stream, int task, std::string_view kernel);
    LogText& launch_2021(int stream, int task, std::string_view kernel);

    const std::string& text() const noexcept { return text_; }
    /// Forgets the lines so far; process, thread and time stay.
    void clear() noexcept { text_.clear(); }

private:
    int pid_;
    int tid_;
    std::int64_t microseconds_ = 0;
    std::string text_;
};

/// A process on a device, which launches a kernel as task 7 of stream 5.
LogText rank_on(int pid, int device, std::string_view kernel);

using LogFileText = std::pair<std::string, std::string>;  ///< path and text

std::shared_ptr<const TaskMap> map_of_files(const std::vector<LogFileText>& files);
/// The task map of logs whose files are called "log0", "log1", ...
std::shared_ptr<const TaskMap> task_map_of(const std::vector<std::string>& texts);
inline std::shared_ptr<const TaskMap> task_map_of(const LogText& log) {
    return task_map_of(std::vector<std::string>{log.text()});
}

/// The process with that pid; the test fails when the map has none.
const logs::Process& process_of(const TaskMap& map, std::int64_t pid = 5100, bool on_device = false);

}  // namespace opdebug::test
