// Judges files in parallel.
#include "api_culprits/file_judge.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
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

Result<FileFacts> judge_file(const FoundDump& dump, const ApiOptions& options) {
    const Result<std::optional<ApiSource>> source = source_of(dump);
    if (!source) {
        return source.error();
    }
    ApiFile place;
    place.source = source->value_or(ApiSource::msprobe);
    api_dump::read_location(dump.file, place);
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
    return facts;
}

/// Processes files until none is left, or a thread runs out of memory.
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
        // std::system_error or std::bad_alloc: the existing threads do the work.
    }
    work.run();
    for (std::thread& thread : threads) {
        thread.join();
    }
    return work.take();
}

}  // namespace opdebug::api_culprits
