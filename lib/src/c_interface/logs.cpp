// Logs → a handle that several calls share.
#include "c_interface/calls.hpp"

#include <functional>
#include <iterator>
#include <utility>

#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>

namespace opdebug::c_interface {
namespace {

/// What the dumps of files and folders request. Dumps that cannot be decoded request nothing; decoding shows why.
Result<WantedTasks> wanted_of(const Options& options, Stop& stop) {
    ScanOptions tree_only;
    tree_only.api_dumps = false;
    tree_only.threads = options.threads;
    tree_only.decode.limits = options.limits;
    tree_only.stop = std::ref(stop);
    tree_only.progress = [&stop](const ScanProgress&) { stop(); };  // in this thread, also where only others decode
    const Result<DumpTree> tree = find_dump_tree(options.wanted, tree_only);
    if (!tree) {
        return tree.error();
    }
    Result<WantedTasks> wanted = wanted_tasks(*tree, tree_only);
    return wanted ? std::move(wanted) : interrupted_while("dumps were read");
}

Result<std::vector<NamedText>> log_formats_of(const Options& options) {
    std::vector<NamedText> files;
    for (const std::string& path : options.log_formats) {
        Result<std::vector<NamedText>> found = read_log_format_files(path, options.limits);
        if (!found) {
            return std::move(found.error());
        }
        files.insert(files.end(), std::make_move_iterator(found->begin()), std::make_move_iterator(found->end()));
    }
    return files;
}

Result<opdebug_logs*> read(const char* const* paths, std::size_t count, const opdebug_options* caller_options,
                           Stop& stop) {
    const Result<std::vector<std::string>> all = paths_of(paths, count);
    if (!all) {
        return all.error();
    }
    const Options& options = options_of(caller_options);
    Result<std::vector<NamedText>> log_formats = log_formats_of(options);
    if (!log_formats) {
        return log_formats.error();
    }
    ReadLogsOptions reading;
    reading.log_formats = std::move(log_formats).value();
    reading.threads = options.threads;
    reading.limits = options.limits;
    reading.stop = std::ref(stop);
    if (!options.wanted.empty()) {
        Result<WantedTasks> wanted = wanted_of(options, stop);
        if (!wanted) {
            return wanted.error();
        }
        reading.wanted = std::move(wanted).value();
    }
    Result<ReadLogs> logs = read_logs(*all, reading);
    if (!logs) {
        return logs.error();
    }
    if (!logs->complete) {
        return interrupted_while("logs were read");
    }
    return new opdebug_logs{std::move(logs).value()};
}

}  // namespace
}  // namespace opdebug::c_interface

using namespace opdebug::c_interface;

opdebug_logs* opdebug_read_logs(const char* const* paths, size_t count, const opdebug_options* options,
                                opdebug_stop* stop, void* stop_data, opdebug_error** error) {
    return guarded<opdebug_logs>(error, [&] {
        Stop stopped(stop, stop_data);
        return read(paths, count, options, stopped);
    });
}

char* opdebug_logs_to_json(const opdebug_logs* logs, opdebug_error** error) {
    return guarded_text(error, [&]() -> opdebug::Result<std::string> {
        if (logs == nullptr) {
            return null_argument("logs");
        }
        opdebug::ReportOptions one_line;
        one_line.one_line = true;
        return opdebug::logs_to_json(logs->read, one_line);
    });
}

void opdebug_logs_free(opdebug_logs* logs) {
    delete logs;
}
