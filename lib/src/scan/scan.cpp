// The dumps of a tree: decoded and located in parallel, then handed over in path order.
#include <opdebug/scan.hpp>

#include <utility>

#include <opdebug/api_culprits.hpp>

#include "api_culprits/culprits.hpp"
#include "bytes/free_descriptors.hpp"
#include "scan/dump_batch.hpp"
#include "scan/dump_tree.hpp"
#include "scan/in_flight.hpp"
#include "scan/kernel_overflows.hpp"
#include "scan/scan_dump.hpp"
#include "scan/totals.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

using scan_stage::Batch;
using scan_stage::DumpBatch;
using scan_stage::DumpFiles;
using scan_stage::FoldersInFlight;
using scan_stage::NewDumpBatch;
using scan_stage::ProgressTeller;

// An operator's dump that is measured may have gigabytes: no thread shall get several. For one thread a batch is one
// dump, too: what it frees is what it needs for the next.
constexpr std::size_t kFewDumps = 8;
constexpr std::size_t kDumpsPerBatch = 16;

DumpFiles files_at(const tree::Walk& found, const tree::DumpPlace& place) {
    const tree::WalkedFolder& folder = found.folders[place.folder];
    const tree::WalkedDump& dump = folder.dumps[place.dump];
    DumpFiles files{folder.prefix + dump.name, {}, {}, folder.was_read, tree::real_path_of(folder, dump)};
    if (!dump.converted_beside.empty()) {
        files.converted_beside = folder.prefix + dump.converted_beside;
    }
    files.converted.reserve(dump.converted.size());
    for (const std::string& name : dump.converted) {
        files.converted.push_back(folder.prefix + name);
    }
    return files;
}

bool must_stop(const ScanOptions& options) {
    return options.stop && options.stop();
}

/// Where the batches begin in the dumps in path order, and where the last one ends. They end where a folder does, if
/// they can: what is known of a folder is then mostly asked for by one thread.
std::vector<std::size_t> batch_bounds(const tree::Walk& found, bool is_alone) {
    const std::vector<tree::DumpPlace>& dumps = found.in_path_order;
    std::vector<std::size_t> bounds{0};
    for (std::size_t i = 1; i < dumps.size(); ++i) {
        const std::size_t count = i - bounds.back();
        const bool ends_folder = count >= kFewDumps && dumps[i].folder != dumps[i - 1].folder;
        if (is_alone || ends_folder || count == kDumpsPerBatch) {
            bounds.push_back(i);
        }
    }
    if (!dumps.empty()) {
        bounds.push_back(dumps.size());
    }
    return bounds;
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
    const std::vector<scan_stage::FirstDump>& first_dumps;  ///< by the number of the folder; empty: nobody asks
    FoldersInFlight& folders;
    bool is_tied;  ///< overflows are to be tied to API calls
};

/// Makes the batch of the dumps from `begin` to `end` in path order.
Batch make_batch(const Work& work, std::size_t begin, std::size_t end) {
    Batch batch;
    batch.dumps = work.new_batch();
    std::shared_ptr<OpDumpFolders> op_dumps;
    for (std::size_t i = begin, of_folder = begin; i < end && !batch.stopped; ++i) {
        if (must_stop(work.options)) {
            batch.stopped = true;
            break;
        }
        const tree::DumpPlace place = work.found.in_path_order[i];
        if (!op_dumps) {
            op_dumps = work.folders.begin(place.folder);
        }
        ScannedDump scanned =
            scan_stage::scan_dump(files_at(work.found, place), work.options, op_dumps,
                                  work.first_dumps.empty() ? std::nullopt : work.first_dumps[place.folder]);
        if (i + 1 == end || work.found.in_path_order[i + 1].folder != place.folder) {
            op_dumps.reset();
            work.folders.end(place.folder, i + 1 - of_folder);
            of_folder = i + 1;
        }
        if (work.is_tied && scanned.state == DumpState::overflowed) {
            batch.overflows.push_back(scan_stage::kernel_overflow_of(scanned, work.options.decode.limits));
        }
        scan_stage::count(scanned.state, batch.counts);
        scan_stage::add_damage(scanned, batch.damage);
        batch.stopped = scanned.tensors.interrupted;
        batch.dumps->add(std::move(scanned));
    }
    return batch;
}

/// By the number of the folder; empty where nobody asks.
std::vector<scan_stage::FirstDump> first_dumps_in(const DumpTree::Contents& tree, const ScanOptions& options) {
    if (!scan_stage::asks_for_first_dumps(options)) {
        return {};
    }
    return tree.shard ? tree.first_dumps : scan_stage::first_dumps_of(tree.found.folders);
}

/// `overflows`: those to be tied to API calls; null where there are none of these.
void scan_found(const DumpTree::Contents& tree, const ScanOptions& options, ProgressTeller& teller,
                const NewDumpBatch& new_batch, Scan& scan, scan_stage::KernelOverflows* overflows) {
    const tree::Walk& found = tree.found;
    const std::vector<scan_stage::FirstDump> first_dumps = first_dumps_in(tree, options);
    const unsigned threads = scan_stage::threads_of(options);
    FoldersInFlight folders(found, bytes::folders_to_keep_open(threads));
    const auto progress = [&] { return ScanProgress{found.in_path_order.size(), scan.counts.dumps, false}; };
    scan_stage::TreeDigest digest(found);
    scan_stage::InOrder work;
    const Work parts{found, options, new_batch, first_dumps, folders, overflows != nullptr};
    const std::vector<std::size_t> bounds = batch_bounds(found, options.tensors || threads == 1);
    work.batches = bounds.size() - 1;
    work.threads = threads;
    work.caller_makes = !options.tensors;
    work.make = [&](std::size_t index) { return make_batch(parts, bounds[index], bounds[index + 1]); };
    work.take = [&](Batch& batch) {
        scan.complete = scan.complete && !batch.stopped;
        add_counts(batch.counts, scan.counts);
        scan_stage::add_damage(batch.damage, scan.damage);
        batch.dumps->take();
        digest.add_up_to(scan.counts.dumps);
        for (KernelOverflow& overflow : batch.overflows) {
            overflows->add(std::move(overflow));
        }
    };
    work.tick = [&] { teller.now_and_then(progress()); };
    teller.now(progress());
    scan_stage::run_in_order(work);
    scan.tree = digest.whole();
    teller.now(progress());
}

/// Dumps that the user's function gets one by one, in the calling thread.
class DumpsInTurn : public DumpBatch {
public:
    explicit DumpsInTurn(const std::function<void(ScannedDump&&)>& use) : use_(use) {}

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

/// Reads and judges them. Never fails: what cannot be read is among the failures of the report.
std::shared_ptr<const ApiReport> judge_api_dumps(const api_dump::FoundDumps& dumps,
                                                 const std::vector<std::string>& inputs, const ScanOptions& options) {
    ApiOptions api;
    api.read.stop = options.stop;
    api.read.limits = options.decode.limits;
    api.threads = options.threads;
    return std::make_shared<const ApiReport>(api_culprits::culprits_in(dumps, inputs, api));
}

/// What the API dumps of the tree show. Every shard keeps what ties need of its own dumps; shard 0 alone reads the API
/// dumps, for calls of all ranks are compared with each other.
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
    return scan_stage::scan_batches(tree, options, [&use] { return std::make_unique<DumpsInTurn>(use); });
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
        return Error{ErrorCode::interrupted, "stopped before it was known what the dumps ask the logs for", {}, {}};
    }
    return wanted;
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::scan_stage {

Scan scan_batches(const DumpTree& tree, const ScanOptions& options, const NewDumpBatch& new_batch) {
    const tree::Walk& found = tree.contents().found;
    ProgressTeller teller(options.progress);
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
    scan_found(tree.contents(), options, teller, new_batch, scan, reads_api_dumps ? &overflows : nullptr);
    scan.api = reads_api_dumps ? read_api_dumps(tree.contents(), options, overflows) : std::nullopt;
    scan.shard = tree.contents().shard;
    scan.tree = tree.contents().whole.value_or(scan.tree);
    scan.damage.not_read = found.in_path_order.size() - scan.counts.dumps;
    scan.damage.every_folder_searched = found.complete;
    const bool whole_api = !scan.api || !scan.api->report || scan.api->report->complete;
    scan.complete = scan.complete && found.complete && scan.damage.not_read == 0 && whole_api;
    tell_damage(scan.damage, scan.complete, scan.diagnostics);
    return scan;
}

}  // namespace opdebug::scan_stage
