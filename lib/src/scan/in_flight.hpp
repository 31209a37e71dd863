// Work in parallel, results in order: a bounded number of batches is on the way between the threads that make them and
// the calling thread that takes them, and makes some itself.
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
    std::vector<KernelOverflow> overflows;  ///< of these dumps, where they are to be tied to API calls
    bool stopped = false;                   ///< the batch is not whole, and no further one is wanted
};

struct InOrder {
    std::size_t batches = 0;
    unsigned threads = 1;
    /// The calling thread is one of them, and makes batches while the next one is not there. For batches that take long
    /// it is not: it would not tick meanwhile.
    bool caller_makes = true;
    std::function<Batch(std::size_t)> make;  ///< called from several threads
    std::function<void(Batch&)> take;        ///< called from the calling thread, in order
    std::function<void()> tick;              ///< called from the calling thread, between batches and while waiting
};

/// Makes and takes all batches, up to the first that is stopped. Exceptions of any of the functions end the work and
/// are thrown on. Where no thread can be started, the calling one makes the batches.
void run_in_order(const InOrder& work);

}  // namespace opdebug::scan_stage
