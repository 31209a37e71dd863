// What becomes of the dumps of a batch: first in the thread that decodes them, then in order in the calling one.
#pragma once

#include <functional>
#include <memory>

#include <opdebug/scan.hpp>

namespace opdebug::scan_stage {

/// A dump that one thread decodes and another one uses and frees waits twice: the other core does not have it, and
/// malloc has no blocks at hand that fit. What is made of a dump at once costs neither.
class DumpBatch {
public:
    DumpBatch() = default;
    DumpBatch(const DumpBatch&) = delete;
    DumpBatch& operator=(const DumpBatch&) = delete;
    virtual ~DumpBatch() = default;

    /// The next dump, in the thread that decodes those of the batch.
    virtual void add(ScannedDump&& scanned) = 0;

    /// In the calling thread, batch by batch in path order.
    virtual void take() = 0;
};

/// Asked for from several threads.
using NewDumpBatch = std::function<std::unique_ptr<DumpBatch>()>;

/// As scan().
Scan scan_batches(const DumpTree& tree, const ScanOptions& options, const NewDumpBatch& new_batch);

}  // namespace opdebug::scan_stage
