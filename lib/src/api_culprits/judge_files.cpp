// Files judged one by one, several at a time.
#include "api_culprits/file_judge.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "api_culprits/file_facts.hpp"
#include "api_culprits/settle.hpp"
#include "api_dump/dump_format.hpp"
#include "api_dump/dump_location.hpp"
#include "bytes/free_descriptors.hpp"

namespace opdebug::api_culprits {

using api_dump::FoundDump;

namespace {

/// msprobe writes values there (source: its service.py); ptdbg_ascend's folders have the dump's own name.
constexpr const char* kFolder = "dump_tensor_data";

using Times = std::map<std::string, std::uint64_t, std::less<>>;  ///< by file name; microseconds of UTC

Times times_in(const std::filesystem::path& folder) {
    using std::chrono::file_clock;
    using std::chrono::microseconds;
    Times times;
    std::error_code failed;
    for (std::filesystem::directory_iterator file(folder, failed), end; !failed && file != end;
         file.increment(failed)) {
        std::error_code no_time;
        const auto written = file->last_write_time(no_time);
        const auto since = std::chrono::duration_cast<microseconds>(file_clock::to_sys(written).time_since_epoch());
        if (!no_time && since.count() >= 0) {
            times.emplace(file->path().filename().string(), static_cast<std::uint64_t>(since.count()));
        }
    }
    return times;
}

/// The newest file that is older than all of the call's own, and the newest of its own.
void add_window(Found& found, const Times& times, const std::vector<std::uint64_t>& sorted) {
    std::uint64_t first = UINT64_MAX, last = 0;
    for (const std::string& name : found.saved) {
        const auto time = times.find(name);
        if (time != times.end()) {
            first = std::min(first, time->second);
            last = std::max(last, time->second);
        }
    }
    if (last == 0) {
        return;
    }
    found.finding.saved_at_us = last;
    const auto own = std::lower_bound(sorted.begin(), sorted.end(), first);
    if (own != sorted.begin()) {
        found.finding.saved_after_us = *(own - 1);
    }
}

/// Sets ApiFinding::saved_after_us and saved_at_us of the file's findings, by one look into its dump_tensor_data. A
/// folder that is not there or cannot be read leaves them empty.
void add_saved_times(FileFacts& facts) {
    const bool any =
        std::any_of(facts.found.begin(), facts.found.end(), [](const Found& found) { return !found.saved.empty(); });
    if (!any) {
        return;
    }
    const Times times = times_in(std::filesystem::path(facts.file.file).parent_path() / kFolder);
    std::vector<std::uint64_t> sorted;
    for (const auto& [name, time] : times) {
        sorted.push_back(time);
    }
    std::sort(sorted.begin(), sorted.end());
    for (Found& found : facts.found) {
        add_window(found, times, sorted);
        found.saved = {};
    }
}

/// Kept of each verdict and file until the ranks are put together, however few are wanted: verdicts on calls between
/// ranks change then, and the earliest counts.
constexpr std::uint64_t kKeptUntilSettled = 1000;

/// What the file is; where it is nothing that is read, its reader says so.
Result<std::optional<ApiSource>> source_of(const FoundDump& dump) {
    return dump.source ? dump.source : api_source_of(dump.file);
}

Result<FileFacts> judge_file(const FoundDump& dump, const ApiOptions& options) {
    const Result<std::optional<ApiSource>> source = source_of(dump);
    if (!source) {
        return source.error();
    }
    ApiFile place;
    place.source = source->value_or(ApiSource::msprobe);
    api_dump::read_place(dump.file, place);
    FileJudge judge(place.source, place.rank, std::max(options.findings_per_verdict, kKeptUntilSettled));
    const auto use = [&judge](ApiEntry&& entry) { judge.add(entry); };
    Result<ApiFile> file = *source ? api_dump::read_as(**source, dump.file, options.read, use)
                                   : read_api_dump(dump.file, options.read, use);
    if (!file) {
        return std::move(file).error();
    }
    FileFacts facts = judge.finish(std::move(*file));
    if (std::optional<Error> error = settle_modules(facts, options.read)) {
        return std::move(*error);
    }
    add_saved_times(facts);
    return facts;
}

/// Takes one file after the other until there is none left, or somebody failed for lack of memory.
class Work {
public:
    Work(const std::vector<FoundDump>& dumps, const ApiOptions& options)
        : dumps_(dumps), options_(options), results_(dumps.size()) {}

    void run() noexcept {
        try {
            for (std::size_t i = next_++; i < dumps_.size() && !failed_; i = next_++) {
                results_[i] = judge_file(dumps_[i], options_);
            }
        } catch (...) {
            const std::lock_guard<std::mutex> lock(mutex_);
            failed_ = true;
            failure_ = failure_ ? failure_ : std::current_exception();
        }
    }

    std::vector<Result<FileFacts>> take() {
        if (failure_) {
            std::rethrow_exception(failure_);
        }
        std::vector<Result<FileFacts>> results;
        results.reserve(results_.size());
        for (std::optional<Result<FileFacts>>& result : results_) {
            results.push_back(std::move(*result));
        }
        return results;
    }

private:
    const std::vector<FoundDump>& dumps_;
    const ApiOptions& options_;
    std::vector<std::optional<Result<FileFacts>>> results_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> failed_{false};
    std::mutex mutex_;
    std::exception_ptr failure_;
};

}  // namespace

std::vector<Result<FileFacts>> judge_files(const std::vector<FoundDump>& dumps, const ApiOptions& options) {
    Work work(dumps, options);
    const std::size_t wanted = options.threads != 0 ? options.threads : std::thread::hardware_concurrency();
    const auto useful =
        static_cast<unsigned>(std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(dumps.size(), 1)));
    const unsigned most = bytes::threads_with_files(useful);
    std::vector<std::thread> threads;
    threads.reserve(most);
    try {
        while (threads.size() + 1 < most) {
            threads.emplace_back([&work] { work.run(); });
        }
    } catch (const std::exception&) {
        // std::system_error, or std::bad_alloc: those threads that there are do the work.
    }
    work.run();
    for (std::thread& thread : threads) {
        thread.join();
    }
    return work.take();
}

}  // namespace opdebug::api_culprits
