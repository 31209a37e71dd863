// Lets allocations of the library fail in turn, in a process of its own for each: out_of_memory_test JOB... Each call
// must end with std::bad_alloc (in C: the error out_of_memory), or with the whole answer where it did without. A
// program of its own, for it replaces operator new.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include <opdebug/opdebug.h>
#include <opdebug/dump.hpp>
#include <opdebug/locate.hpp>
#include <opdebug/logs.hpp>
#include <opdebug/report.hpp>
#include <opdebug/scan.hpp>
#include <opdebug/tensor.hpp>

#include "faulty_job.hpp"
#include "logs/formats/formats.hpp"

#define DOCTEST_CONFIG_IMPLEMENT  // what builds the files checks itself
#include <doctest/doctest.h>

namespace {

/// Allocations of all threads that succeed before the first that fails; negative: all do.
std::atomic<long> allocations_left = -1;
std::atomic<bool> one_fails_only = false;

std::atomic<long> blocks = 0;  ///< that were not given back

bool must_fail() noexcept {
    if (allocations_left < 0) {
        return false;
    }
    const long left = allocations_left.load() > 0 ? allocations_left.fetch_sub(1) : 0;
    if (left > 0) {
        return false;
    }
    if (one_fails_only) {
        allocations_left = -1;
    }
    return true;
}

enum Ending : int { whole = 0, out_of_memory = 10, something_else = 11, terminated = 12, leaked = 13 };

}  // namespace

void* operator new(std::size_t size) {
    if (!must_fail()) {
        if (void* memory = std::malloc(size == 0 ? 1 : size)) {
            ++blocks;
            return memory;
        }
    }
    throw std::bad_alloc();
}
// Of this file's, too: a sanitizer's own would not agree with the deletes below.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    try {
        return ::operator new(size);
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}
void operator delete(void* memory) noexcept {
    blocks -= memory == nullptr ? 0 : 1;
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    ::operator delete(memory);
}

using namespace opdebug;

namespace {

struct Stage {
    const char* name;
    std::function<std::string()> run;  ///< "" when the library gave an error instead of an answer
};

std::string told(char* text, opdebug_error* error) {
    if (text == nullptr) {
        const bool no_memory = error != nullptr && std::strcmp(opdebug_error_code(error), "out_of_memory") == 0;
        opdebug_error_free(error);
        if (no_memory) {
            throw std::bad_alloc();
        }
        return "";
    }
    std::string copy = text;
    opdebug_string_free(text);
    return copy;
}

std::string text_of_scan(const Scan& scanned) {
    return std::to_string(scanned.counts.overflowed) + " " + std::to_string(scanned.counts.failed) + " " +
           std::to_string(scanned.failures.size());
}

std::string scan_in_c(const std::string& dumps) {
    const char* path = dumps.c_str();
    opdebug_error* error = nullptr;
    opdebug_options* options = opdebug_options_new();
    if (options == nullptr) {
        throw std::bad_alloc();
    }
    char* report = opdebug_options_set(options, "threads", "2", &error) == 0
                       ? nullptr
                       : opdebug_scan(&path, 1, nullptr, options, nullptr, nullptr, &error);
    opdebug_options_free(options);
    return told(report, error);
}

/// The texts of all writers; "" when one of them gave an error.
std::string all_forms_of_report(const std::string& dumps, const std::shared_ptr<const TaskMap>& map) {
    ScanOptions options;
    options.threads = 1;
    options.locate.task_map = map;
    ScanReport report;
    const auto scanned = scan({dumps}, options, [&report](ScannedDump&& one) { report.add(one); });
    if (!scanned || report.finish(*scanned)) {
        return "";
    }
    std::string all;
    const auto keep = [&all](std::string_view piece) {
        all += piece;
        return true;
    };
    const bool failed = report.write_json(keep) || report.write_json_lines(keep) || report.write_csv(keep) ||
                        report.write_text(keep) || report.write_html(keep);
    return failed ? "" : all;
}

/// A format as the built-in ones are loaded, which are there before any stage begins, and made ready by a line.
std::string load_log_format() {
    const char* const file = R"({"schema": "opdebug.log_formats/1", "formats": [{
        "id": "toy.launch", "catalogue": "T1", "states": "kernel_of_task", "log": "runtime_log", "modules": ["TOY"],
        "literal": "kernel_name=", "versions": "toy", "source": "toy", "samples": [],
        "pattern": "^stream_id=(?<stream_id>\\d+), task_id=(?<task_id>\\d+), kernel_name=(?<kernel_name>.+?), "}]})";
    const auto formats = logs::LogFormats::load({{"toy.json", file}}, {}, logs::Samples::trusted);
    const auto line = logs::parse_line(
        "[INFO] TOY(1,toy):2030-01-01-00:00:00.000.000 [toy.cc:12] 1 F: stream_id=7, task_id=3, kernel_name=K, ");
    const auto match = formats && line ? (*formats)->match(*line) : std::nullopt;
    return match ? match->format->id + match->fact.kernel_name : "";
}

std::string decoded_dump(const std::string& path) {
    const auto decoded = decode_file(path);
    return decoded ? std::to_string(decoded->payloads.size()) + std::to_string(decoded->complete()) : "";
}

std::string measured_dump(const std::string& path) {
    const auto measured = measure_op_dump(path);
    return measured ? std::to_string(measured->tensors.size()) + std::to_string(measured->complete()) : "";
}

std::string counted_logs(const std::string& path, unsigned threads) {
    ReadLogsOptions options;
    options.threads = threads;
    const auto logs = read_logs({path}, options);
    return logs ? std::to_string(logs->lines) + " " + std::to_string(logs->failures.size()) : std::string();
}

std::string located_dump(const Dump& dump, const std::shared_ptr<const TaskMap>& map) {
    LocateOptions options;
    options.task_map = map;
    return std::to_string(locate(dump, options).diagnostics.size());
}

/// `report`: takes the dumps; null: nothing does.
std::string scanned_tree(const std::string& dumps, const std::shared_ptr<const TaskMap>& map, unsigned threads,
                         ScanReport* report) {
    ScanOptions options;
    options.threads = threads;
    options.tensors = true;
    options.locate.task_map = map;
    const auto scanned = scan({dumps}, options, [report](ScannedDump&& one) {
        if (report != nullptr) {
            report->add(one);
        }
    });
    return scanned ? text_of_scan(*scanned) : "";
}

std::string reported_tree(const std::string& dumps, const std::shared_ptr<const TaskMap>& map) {
    ScanReport report;
    return scanned_tree(dumps, map, 2, &report);
}

std::string decoded_in_c(const std::string& path) {
    opdebug_error* error = nullptr;
    char* const text = opdebug_decode_file(path.c_str(), nullptr, nullptr, &error);
    return told(text, error);
}

/// Every stage of the library, on the files of the job.
std::vector<Stage> stages_of(const test::FaultyJob& job, const std::string& saved,
                             const std::shared_ptr<const TaskMap>& map, const Dump& dump) {
    return {
        {"decode", [&job] { return decoded_dump(job.overflow); }},
        {"measure", [&job] { return measured_dump(job.op_dump); }},
        {"log formats", load_log_format},
        {"logs, one thread", [&job] { return counted_logs(job.logs, 1); }},
        {"logs, 4 threads", [&job] { return counted_logs(job.logs, 4); }},
        {"saved map", [saved] { return counted_logs(saved, 1); }},
        {"making a map", [&job] { return index_logs({job.logs})->map; }},
        {"locate", [&dump, map] { return located_dump(dump, map); }},
        {"scan, one thread", [&job, map] { return scanned_tree(job.dumps, map, 1, nullptr); }},
        {"scan, 4 threads", [&job, map] { return scanned_tree(job.dumps, map, 4, nullptr); }},
        {"record document", [&dump] { return record_to_json(dump, locate(dump)); }},
        {"report", [&job, map] { return reported_tree(job.dumps, map); }},
        {"report, all forms", [&job, map] { return all_forms_of_report(job.dumps, map); }},
        {"record in text", [&dump] { return record_to_text(dump, locate(dump)); }},
        {"decode in C", [&job] { return decoded_in_c(job.overflow); }},
        {"scan in C", [&job] { return scan_in_c(job.dumps); }},
    };
}

/// Runs the stage with the allocation failing after `limit` others, and with `one` no later one. 1: it needed fewer.
int attempt(const Stage& stage, long limit, bool one, const std::string& undisturbed) {
    int ending = whole;
    one_fails_only = one;
    allocations_left = limit;
    try {
        ending = stage.run() == undisturbed ? whole : something_else;
    } catch (const std::bad_alloc&) {
        ending = out_of_memory;
    } catch (...) {
        ending = something_else;
    }
    const bool reached = one ? allocations_left < 0 : allocations_left == 0;
    allocations_left = -1;
    return ending == whole && !reached ? 1 : ending;
}

/// The same in a process of its own.
int ending_of(const Stage& stage, long limit, bool one, const std::string& undisturbed) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(60);  // a process that waits for ever is ended by a signal
        std::set_terminate([] { std::_Exit(terminated); });
        // Boost.Regex keeps up to 16 blocks for later; what grows with each attempt is lost.
        constexpr long kAttempts = 40;
        const long before = blocks;
        const int ending = attempt(stage, limit, one, undisturbed);
        for (long more = 1; more < kAttempts && blocks - before >= more; ++more) {
            attempt(stage, limit, one, undisturbed);
        }
        std::_Exit(blocks - before >= kAttempts ? leaked : ending);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

struct Count {
    long tried = 0, reported = 0, did_without = 0, ended = 0, leaked = 0, wrong = 0;
};

/// Lets the allocations fail in turn, at most about `most` of them, evenly spread.
Count try_all(const Stage& stage, bool one, long most) {
    const std::string undisturbed = stage.run();
    allocations_left = 1'000'000'000;
    stage.run();
    const long needed = 1'000'000'000 - allocations_left;
    allocations_left = -1;
    Count count;
    const long step = std::max<long>(1, needed / most);
    for (long limit = 0; limit < needed; limit += limit < 64 ? 1 : step) {
        const int ending = ending_of(stage, limit, one, undisturbed);
        if (ending == 1) {
            break;  // it needed less this time
        }
        ++count.tried;
        ++(ending == out_of_memory ? count.reported
           : ending == whole       ? count.did_without
           : ending == terminated  ? count.ended
           : ending == leaked      ? count.leaked
                                   : count.wrong);
    }
    std::printf(
        "%-18s %-6s %6ld of %6ld allocations failed: %6ld reported, %5ld done without, %5ld ended the program, %ld "
        "leaked, "
        "%ld wrong\n",
        stage.name, one ? "one" : "all", count.tried, needed, count.reported, count.did_without, count.ended,
        count.leaked, count.wrong);
    std::fflush(stdout);
    return count;
}

}  // namespace

int main(int argc, char** argv) {
    const long most = argc > 1 ? std::atol(argv[1]) : 100;
    const test::FaultyJob job;
    const auto logs = read_logs({job.logs});
    const std::string saved = test::write_file(job.directory / "earlier.map", index_logs({job.logs})->map);
    const auto dump = decode_file(job.overflow);
    bool good = true;
    for (const Stage& stage : stages_of(job, saved, logs->task_map, *dump)) {
        for (const bool one : {false, true}) {
            const Count count = try_all(stage, one, most);
            good = good && count.wrong == 0 && count.ended == 0 && count.tried > 0 && count.leaked == 0;
        }
    }
    return good ? 0 : 1;
}
