#include "merge/merged_dumps.hpp"

#include <algorithm>

#include "merge/one_place.hpp"
#include "merge/run.hpp"

namespace opdebug::merge {
namespace {

constexpr std::size_t kAllPieces = std::size_t{32} << 20U;
constexpr std::size_t kLeastPiece = std::size_t{4} << 10U, kMostPiece = std::size_t{256} << 10U;

/// Runs whose next dump is known, the one with the first in front.
class Heap {
    /// Whether the dump of one run comes behind that of another; of one place in the order, the first part's comes
    /// first.
    struct Behind {
        const std::vector<std::unique_ptr<Run>>& runs;

        bool operator()(std::size_t a, std::size_t b) const {
            const ScanItem &item_a = runs[a]->entry().item, &item_b = runs[b]->entry().item;
            return comes_before(item_b, item_a) || (!comes_before(item_a, item_b) && b < a);
        }
    };

public:
    explicit Heap(const std::vector<std::unique_ptr<Run>>& runs) : runs_(runs) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            add(i);
        }
    }
    bool empty() const noexcept { return heap_.empty(); }
    std::size_t front() const noexcept { return heap_.front(); }
    void advance_front() {
        std::pop_heap(heap_.begin(), heap_.end(), Behind{runs_});
        const std::size_t run = heap_.back();
        heap_.pop_back();
        add(run);
    }

private:
    void add(std::size_t run) {
        if (runs_[run]->advance()) {
            heap_.push_back(run);
            std::push_heap(heap_.begin(), heap_.end(), Behind{runs_});
        }
    }

    const std::vector<std::unique_ptr<Run>>& runs_;
    std::vector<std::size_t> heap_;
};

}  // namespace

void MergedDumps::each(const std::function<bool(const report::DumpInOrder&, std::size_t)>& use,
                       PassNotes& notes) const {
    const std::size_t piece = std::clamp(kAllPieces / std::max<std::size_t>(parts_.size(), 1), kLeastPiece, kMostPiece);
    std::vector<std::unique_ptr<Run>> runs;
    for (const auto& part : parts_) {
        runs.push_back(std::make_unique<Run>(*part, piece, tensors_));
    }
    Heap heap(runs);
    OnePlace place(parts_);
    for (; !heap.empty(); heap.advance_front()) {
        const std::size_t part = heap.front();
        Run& run = *runs[part];
        if (place.has(run, part, notes)) {
            continue;
        }
        const auto text = [&run](report::KeptText kept) { return run.text(kept); };
        if (!use({run.entry(), text}, part)) {
            break;
        }
    }
    for (const auto& run : runs) {
        notes.parts.push_back(run->notes());
    }
}

std::optional<Error> MergedDumps::each(const report::UseDump& use) const {
    PassNotes notes;
    each([&use](const report::DumpInOrder& dump, std::size_t) { return use(dump); }, notes);
    return std::nullopt;
}

}  // namespace opdebug::merge
