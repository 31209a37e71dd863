// Work in parallel, results in order: a bounded number of batches is made in threads, ahead of the calling thread that
// takes them one by one.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include <opdebug/scan.hpp>

#include "scan/dump_batch.hpp"

namespace opdebug::scan_stage {

struct Batch {
    std::unique_ptr<DumpBatch> dumps;
    ScanCounts counts;                      ///< of these dumps
    ScanDamage damage;                      ///< likewise
    std::vector<KernelOverflow> overflows;  ///< of these dumps, if they are to be tied to API calls
    bool stopped = false;                   ///< the batch is incomplete and the last one
};

struct OrderedWork {
    std::size_t batches = 0;
    unsigned threads = 1;
    std::function<Batch(std::size_t)> make;  ///< called in several threads
    std::function<void(Batch&)> take;        ///< called in the calling thread, in order
    std::function<void()> tick;              ///< called in the calling thread, between batches and while it waits
};

/// Makes and takes all batches, up to the first that is stopped. Exceptions of any of the functions end the work and
/// are rethrown. With one thread, or if the system starts none, the calling thread makes the batches.
void run_in_order(const OrderedWork& work);

}  // namespace opdebug::scan_stage
