// The use of scanned dumps: first in the thread that decodes them, then in order in the calling thread.
#pragma once

#include <functional>
#include <memory>

#include <opdebug/scan.hpp>

namespace opdebug::scan_stage {

/// The result of some dumps. Most work is done in the thread that decodes them.
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

/// Called in several threads.
using NewDumpBatch = std::function<std::unique_ptr<DumpBatch>()>;

/// See scan().
Scan scan_batches(const DumpTree& tree, const ScanOptions& options, const NewDumpBatch& new_batch);

}  // namespace opdebug::scan_stage
