// Judges files in parallel.
#include "api_culprits/file_judge.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "api_culprits/file_facts.hpp"
#include "api_culprits/settle.hpp"
#include "api_dump/dump_file.hpp"
#include "bytes/free_descriptors.hpp"

namespace opdebug::api_culprits {

using api_dump::FoundDump;

namespace {

/// Findings of each verdict and file that are kept until the ranks are matched, even if fewer are wanted: verdicts on
/// calls between ranks can change then, and the earliest counts.
constexpr std::uint64_t kKeptUntilSettled = 1000;

/// The format of the file. The parser reports unknown formats.
Result<std::optional<ApiSource>> source_of(const FoundDump& dump) {
    return dump.source ? dump.source : api_source_of(dump.file);
}

}  // namespace

Result<FileFacts> judge_file(const FoundDump& dump, const ApiOptions& options,
                             const std::function<void(ApiEntry&&)>& after) {
    const Result<std::optional<ApiSource>> source = source_of(dump);
    if (!source) {
        return source.error();
    }
    ApiFile place;
    place.source = source->value_or(ApiSource::msprobe);
    api_dump::read_location(dump.file, place);
    FileJudge judge(place.source, place.rank, std::max(options.findings_per_verdict, kKeptUntilSettled));
    const auto use = [&judge, &after](ApiEntry&& entry) {
        judge.add(entry);
        if (after) {
            after(std::move(entry));
        }
    };
    Result<ApiFile> file = *source ? api_dump::read_as(**source, dump.file, options.read, use)
                                   : read_api_dump(dump.file, options.read, use);
    if (!file) {
        return std::move(file).error();
    }
    FileFacts facts = judge.finish(std::move(*file));
    if (std::optional<Error> error = settle_modules(facts, options.read)) {
        return std::move(*error);
    }
    return facts;
}

namespace {

/// Does items until none is left, or a thread runs out of memory.
class Work {
public:
    Work(std::size_t count, const std::function<void(std::size_t)>& item) : count_(count), item_(item) {}

    void run() noexcept {
        try {
            for (std::size_t i = next_++; i < count_ && !failed_; i = next_++) {
                item_(i);
            }
        } catch (...) {
            const std::lock_guard<std::mutex> lock(mutex_);
            failed_ = true;
            failure_ = failure_ ? failure_ : std::current_exception();
        }
    }

    void rethrow() const {
        if (failure_) {
            std::rethrow_exception(failure_);
        }
    }

private:
    std::size_t count_;
    const std::function<void(std::size_t)>& item_;
    std::atomic<std::size_t> next_{0};
    std::atomic<bool> failed_{false};
    std::mutex mutex_;
    std::exception_ptr failure_;
};

}  // namespace

void do_in_parallel(std::size_t count, unsigned wanted_threads, const std::function<void(std::size_t)>& item) {
    Work work(count, item);
    const std::size_t wanted = wanted_threads != 0 ? wanted_threads : std::thread::hardware_concurrency();
    const auto useful = static_cast<unsigned>(std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(count, 1)));
    const unsigned most = bytes::threads_with_files(useful);
    std::vector<std::thread> threads;
    threads.reserve(most);
    try {
        while (threads.size() + 1 < most) {
            threads.emplace_back([&work] { work.run(); });
        }
    } catch (const std::exception&) {
        // std::system_error or std::bad_alloc: the existing threads do the work.
    }
    work.run();
    for (std::thread& thread : threads) {
        thread.join();
    }
    work.rethrow();
}

std::vector<Result<FileFacts>> judge_files(const std::vector<FoundDump>& dumps, const ApiOptions& options) {
    std::vector<std::optional<Result<FileFacts>>> judged(dumps.size());
    do_in_parallel(dumps.size(), options.threads, [&](std::size_t i) { judged[i] = judge_file(dumps[i], options); });
    std::vector<Result<FileFacts>> results;
    results.reserve(judged.size());
    for (std::optional<Result<FileFacts>>& result : judged) {
        results.push_back(std::move(*result));
    }
    return results;
}

}  // namespace opdebug::api_culprits
