// The dumps of a tree: decoded and located in parallel, then handed over in path order.
#include <opdebug/scan.hpp>

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <utility>
#include <vector>

#include <opdebug/api.hpp>

#include "api_culprits/file_judge.hpp"
#include "bytes/each_in_parallel.hpp"
#include "bytes/free_descriptors.hpp"
#include "bytes/thread_pool.hpp"
#include "scan/dump_batch.hpp"
#include "scan/dump_tree.hpp"
#include "scan/kernel_overflows.hpp"
#include "scan/scan_dump.hpp"
#include "scan/totals.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using scan_stage::DumpBatch;
using scan_stage::DumpReader;
using scan_stage::NewDumpBatch;
using scan_stage::ProgressReporter;

struct Batch {
    std::unique_ptr<DumpBatch> dumps;
    ScanCounts counts;                      ///< of these dumps
    ScanDamage damage;                      ///< likewise
    std::vector<KernelOverflow> overflows;  ///< of these dumps, if they are to be tied to API calls
    bool stopped = false;                   ///< the batch is incomplete and the last one
};

/// Batches ahead of the calling thread, for each thread: enough that none waits for a slow neighbour.
constexpr std::size_t kBatchesPerThread = 4;
constexpr std::chrono::milliseconds kTick{100};
constexpr std::size_t kDumpsPerBatch = 16;

bool must_stop(const ScanOptions& options) {
    return options.stop && options.stop();
}

void add_counts(const ScanCounts& of_batch, ScanCounts& counts) {
    counts.dumps += of_batch.dumps;
    counts.overflowed += of_batch.overflowed;
    counts.clean += of_batch.clean;
    counts.failed += of_batch.failed;
}

/// What a scan works on, the same for all threads.
struct Work {
    const tree::Walk& found;
    const ScanOptions& options;
    const NewDumpBatch& new_batch;
    DumpReader& reader;
    bool is_tied;  ///< overflows are to be tied to API calls
};

/// Makes the batch of the dumps from `begin` to `end` in path order.
Batch make_batch(const Work& work, std::size_t begin, std::size_t end) {
    Batch batch;
    batch.dumps = work.new_batch();
    for (std::size_t i = begin; i < end && !batch.stopped; ++i) {
        if (must_stop(work.options)) {
            batch.stopped = true;
            break;
        }
        ScannedDump scanned = work.reader.read(work.found.in_path_order[i]);
        if (work.is_tied && scanned.state == DumpState::overflowed) {
            batch.overflows.push_back(scan_stage::kernel_overflow_of(scanned));
        }
        scan_stage::count(scanned.state, batch.counts);
        scan_stage::add_damage(scanned, batch.damage);
        batch.stopped = scanned.tensors.interrupted;
        batch.dumps->add(std::move(scanned));
    }
    return batch;
}

/// Makes the batches in parallel, a bounded number ahead of the calling thread, which takes them in order up to the
/// first that is stopped. Exceptions end the work and are rethrown. `overflows`: those to be tied to API calls; null if
/// there are no API dumps.
void scan_found(const DumpTree::Contents& tree, const ScanOptions& options, const NewDumpBatch& new_batch, Scan& scan,
                scan_stage::KernelOverflows* overflows) {
    const tree::Walk& found = tree.found;
    const std::size_t dumps = found.in_path_order.size();
    const unsigned threads = bytes::threads_with_files(bytes::thread_count(options.threads));
    // The operator's dump of one dump may have gigabytes.
    const std::size_t batch_size = options.tensors ? 1 : kDumpsPerBatch;
    DumpReader reader(tree, options);
    const Work work{found, options, new_batch, reader, overflows != nullptr};
    ProgressReporter reporter(options.progress);
    const auto progress = [&] { return ScanProgress{dumps, scan.counts.dumps, false}; };
    const auto take = [&](Batch batch) {
        scan.complete = scan.complete && !batch.stopped;
        add_counts(batch.counts, scan.counts);
        scan_stage::add_damage(batch.damage, scan.damage);
        batch.dumps->take();
        for (KernelOverflow& overflow : batch.overflows) {
            overflows->add(std::move(overflow));
        }
        reporter.report_if_due(progress());
        return !batch.stopped;
    };
    reporter.report(progress());
    // With one thread, or if the system starts none, the calling thread makes a batch when it takes it.
    bytes::ThreadPool pool(threads > 1 ? std::min<std::size_t>(threads, (dumps + batch_size - 1) / batch_size) : 0);
    std::deque<std::future<Batch>> ahead;
    std::size_t next = 0;
    const auto post_more = [&] {
        for (; next < dumps && ahead.size() < threads * kBatchesPerThread; next += batch_size) {
            const auto make = [&work, begin = next, end = std::min(next + batch_size, dumps)] {
                return make_batch(work, begin, end);
            };
            ahead.push_back(pool.has_threads() ? pool.post(make) : std::async(std::launch::deferred, make));
        }
    };
    bool is_stopped = false;
    for (post_more(); !ahead.empty() && !is_stopped; post_more()) {
        while (ahead.front().wait_for(kTick) == std::future_status::timeout) {
            reporter.report_if_due(progress());
        }
        is_stopped = !take(ahead.front().get());
        ahead.pop_front();
    }
    reporter.report(progress());
}

/// Dumps for the user's function, which gets them one by one in the calling thread.
class DumpsForUse : public DumpBatch {
public:
    explicit DumpsForUse(const std::function<void(ScannedDump&&)>& use) : use_(use) {}

    void add(ScannedDump&& scanned) override { dumps_.push_back(std::move(scanned)); }
    void take() override {
        for (ScannedDump& scanned : dumps_) {
            use_(std::move(scanned));
        }
    }

private:
    const std::function<void(ScannedDump&&)>& use_;
    std::vector<ScannedDump> dumps_;
};

/// Never fails: unreadable files are among the failures of the report.
std::shared_ptr<const ApiReport> judge_api_dumps(const api_dump::DumpList& dumps,
                                                 const std::vector<std::string>& inputs, const ScanOptions& options) {
    ApiOptions api;
    api.read.stop = options.stop;
    api.read.limits = options.decode.limits;
    api.threads = options.threads;
    return std::make_shared<const ApiReport>(api_culprits::culprits_in(dumps, inputs, api));
}

/// The API dumps of the tree. Every shard lists the overflows of its own dumps for ties; only shard 0 reads the API
/// dumps, because calls of all ranks are compared with each other.
std::optional<ScanApiDumps> read_api_dumps(const DumpTree::Contents& tree, const ScanOptions& options,
                                           scan_stage::KernelOverflows& overflows) {
    ScanApiDumps api;
    if (scan_stage::reads_api_dumps(tree.shard)) {
        api.report = judge_api_dumps(*tree.api, tree.inputs, options);
    }
    overflows.finish(api);
    return api;
}

}  // namespace

Scan scan(const DumpTree& tree, const ScanOptions& options, const std::function<void(ScannedDump&&)>& use) {
    return scan_stage::scan_batches(tree, options, [&use] { return std::make_unique<DumpsForUse>(use); });
}

Result<Scan> scan(const std::vector<std::string>& paths, const ScanOptions& options,
                  const std::function<void(ScannedDump&&)>& use) {
    const Result<DumpTree> tree = find_dump_tree(paths, options);
    if (!tree) {
        return tree.error();
    }
    return scan(*tree, options, use);
}

Result<WantedTasks> wanted_tasks(const DumpTree& tree, const ScanOptions& options) {
    ScanOptions decoding_only = options;
    decoding_only.locate_overflowed = false;
    decoding_only.tensors = false;
    decoding_only.api_dumps = false;
    WantedTasks wanted;
    const Scan scanned = scan(tree, decoding_only, [&wanted](ScannedDump&& dump) {
        if (dump.state == DumpState::overflowed) {
            add_wanted(*dump.dump, wanted);
        }
    });
    if (!scanned.complete) {
        return Error{
            ErrorCode::interrupted, "stopped before it was known which tasks the dumps need from the logs", {}, {}};
    }
    return wanted;
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::scan_stage {

Scan scan_batches(const DumpTree& tree, const ScanOptions& options, const NewDumpBatch& new_batch) {
    const tree::Walk& found = tree.contents().found;
    Scan scan;
    scan.inputs = tree.contents().inputs;
    scan.counts.op_dumps = found.op_dumps;
    scan.counts.other_files = found.other_files;
    scan.dumps_found = found.in_path_order.size();
    scan.failures = found.failures;
    scan.diagnostics = found.diagnostics;
    scan.diagnostics.insert(scan.diagnostics.end(), options.diagnostics.begin(), options.diagnostics.end());
    const bool reads_api_dumps = options.api_dumps && tree.contents().api;
    KernelOverflows overflows;
    scan_found(tree.contents(), options, new_batch, scan, reads_api_dumps ? &overflows : nullptr);
    scan.api = reads_api_dumps ? read_api_dumps(tree.contents(), options, overflows) : std::nullopt;
    scan.shard = tree.contents().shard;
    scan.tree = tree.contents().whole ? *tree.contents().whole : digest_of(found);
    scan.damage.not_read = found.in_path_order.size() - scan.counts.dumps;
    scan.damage.every_folder_searched = found.complete;
    const bool whole_api = !scan.api || !scan.api->report || scan.api->report->complete;
    scan.complete = scan.complete && found.complete && scan.damage.not_read == 0 && whole_api;
    report_damage(scan.damage, scan.complete, scan.diagnostics);
    return scan;
}

}  // namespace opdebug::scan_stage
