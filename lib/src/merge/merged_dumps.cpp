#include "merge/merged_dumps.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "merge/run.hpp"
#include "report/part_lines.hpp"

namespace opdebug::merge {
namespace {

constexpr std::size_t kAllPieces = std::size_t{32} << 20U;
constexpr std::size_t kLeastPiece = std::size_t{4} << 10U, kMostPiece = std::size_t{256} << 10U;

/// The same dump under the same path: of one file system, or of two hosts that told the same of it. Two hosts may have
/// different dumps under one path.
bool is_same_dump(const ScanItem& a, const ScanItem& b) {
    if (a.file != b.file || a.timestamp_us != b.timestamp_us) {
        return false;
    }
    if (a.host == b.host || a.host.empty() || b.host.empty()) {
        return true;
    }
    report::DumpLine of_a{{a, {}, {}, {}, {}}}, of_b{{b, {}, {}, {}, {}}};
    of_a.entry.item.host.clear();
    of_b.entry.item.host.clear();
    return report::dump_line(of_a) == report::dump_line(of_b);
}

/// Runs whose next dump is known, the one with the first in front.
class Heap {
public:
    explicit Heap(const std::vector<std::unique_ptr<Run>>& runs) : runs_(runs) {
        for (std::size_t i = 0; i < runs.size(); ++i) {
            add(i);
        }
    }
    bool empty() const noexcept { return heap_.empty(); }
    std::size_t front() const noexcept { return heap_.front(); }
    void advance_front() {
        std::pop_heap(heap_.begin(), heap_.end(), behind());
        const std::size_t run = heap_.back();
        heap_.pop_back();
        add(run);
    }

private:
    void add(std::size_t run) {
        if (runs_[run]->advance()) {
            heap_.push_back(run);
            std::push_heap(heap_.begin(), heap_.end(), behind());
        }
    }
    std::function<bool(std::size_t, std::size_t)> behind() const {
        return [this](std::size_t a, std::size_t b) {
            const ScanItem &item_a = runs_[a]->entry().item, &item_b = runs_[b]->entry().item;
            return comes_before(item_b, item_a) || (!comes_before(item_a, item_b) && b < a);
        };
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
        runs.push_back(std::make_unique<Run>(*part, piece));
    }
    Heap heap(runs);
    std::optional<ScanItem> last;
    std::size_t last_part = 0;
    for (; !heap.empty(); heap.advance_front()) {
        const std::size_t part = heap.front();
        Run& run = *runs[part];
        const ScanItem& item = run.entry().item;
        if (last && is_same_dump(*last, item)) {
            if (notes.repeated++ == 0) {
                notes.first_repeated =
                    fmt::format("{} (in {} and {})", item.file, parts_[last_part]->name, parts_[part]->name);
            }
            continue;
        }
        const auto text = [&run](report::KeptText kept) { return run.text(kept); };
        if (!use({run.entry(), text}, part)) {
            break;
        }
        last = item;
        last_part = part;
    }
    for (const auto& run : runs) {
        notes.dumps.push_back(run->dumps());
        notes.faults.push_back(run->fault());
    }
}

std::optional<Error> MergedDumps::each(const report::UseDump& use) const {
    PassNotes notes;
    each([&use](const report::DumpInOrder& dump, std::size_t) { return use(dump); }, notes);
    return std::nullopt;
}

}  // namespace opdebug::merge
