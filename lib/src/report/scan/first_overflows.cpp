// The first overflows of a scan, in the order of reports.
#include <algorithm>
#include <utility>

#include <opdebug/overflow_summary.hpp>
#include <opdebug/scan_overview.hpp>

namespace opdebug {
inline namespace v0 {
namespace {

/// An overflow with what its place in the order depends on.
struct OrderedOverflow {
    ScanItem item;
    ScannedDump dump;
};

bool is_before(const OrderedOverflow& a, const OrderedOverflow& b) {
    return comes_before(a.item, b.item);
}

}  // namespace

struct FirstOverflows::Kept {
    std::vector<OrderedOverflow> heap;  ///< the one that comes last is in front
};

FirstOverflows::FirstOverflows(std::uint64_t count) : count_(count), kept_(std::make_unique<Kept>()) {}
FirstOverflows::~FirstOverflows() = default;

void FirstOverflows::add(ScannedDump&& dump) {
    if (dump.state != DumpState::overflowed || count_ == 0) {
        return;
    }
    std::vector<OrderedOverflow>& heap = kept_->heap;
    ScanItem item = scan_item_of(dump);
    if (heap.size() >= count_) {
        if (!comes_before(item, heap.front().item)) {
            return;
        }
        std::pop_heap(heap.begin(), heap.end(), is_before);
        heap.pop_back();
    }
    heap.push_back({std::move(item), std::move(dump)});
    std::push_heap(heap.begin(), heap.end(), is_before);
}

std::vector<ScannedDump> FirstOverflows::take() {
    std::vector<OrderedOverflow> kept = std::exchange(kept_->heap, {});
    std::sort_heap(kept.begin(), kept.end(), is_before);
    std::vector<ScannedDump> dumps;
    dumps.reserve(kept.size());
    for (OrderedOverflow& overflow : kept) {
        dumps.push_back(std::move(overflow.dump));
    }
    return dumps;
}

}  // namespace v0
}  // namespace opdebug
