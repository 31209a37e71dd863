#include "merge/merged_dumps.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "merge/run.hpp"
#include "report/parts/part_lines.hpp"

namespace opdebug::merge {
namespace {

constexpr std::size_t kAllPieces = std::size_t{32} << 20U;
constexpr std::size_t kLeastPiece = std::size_t{4} << 10U, kMostPiece = std::size_t{256} << 10U;

bool is_same_place(const ScanItem& a, const ScanItem& b) {
    return a.file == b.file && a.timestamp_us == b.timestamp_us;
}

/// Whether the parts may be of different hosts, which may have different dumps under one path.
bool may_be_of_two_hosts(const ScanItem& a, const ScanItem& b) {
    return a.host != b.host || a.host.empty();
}

/// The same dump under the same path: of one host, or of two that told the same of it.
bool is_same_dump(const ScanItem& a, const ScanItem& b) {
    if (!may_be_of_two_hosts(a, b)) {
        return true;
    }
    report::DumpLine of_a{{a, {}, {}, {}, {}}}, of_b{{b, {}, {}, {}, {}}};
    of_a.entry.item.host.clear();
    of_b.entry.item.host.clear();
    return report::dump_line(of_a) == report::dump_line(of_b);
}

/// Dumps of the same path and time, as they come from several parts. Ordinary reports need not name their hosts, so
/// theirs are the same only where all is that is told of them.
class OnePlace {
public:
    explicit OnePlace(const std::vector<std::shared_ptr<const Part>>& parts) : parts_(parts) {}

    /// Whether the dump was there already. It is noted, and its document, which may be needed to tell others from it.
    bool has(Run& run, std::size_t part, PassNotes& notes) {
        const report::ScanEntry& entry = run.entry();
        if (count_ != 0 && !is_same_place(seen_.front().entry.item, entry.item)) {
            count_ = 0;
        }
        const bool is_ordinary = parts_[part]->head.ordinary;
        const Result<std::string_view> text = run.text(report::KeptText::document);
        const std::string_view document = text ? *text : std::string_view();
        for (std::size_t i = 0; i < count_; ++i) {
            const Seen& other = seen_[i];
            if (is_ordinary || parts_[other.part]->head.ordinary
                    ? other.document == document && other.entry.failure_code == entry.failure_code &&
                          other.entry.failure_message == entry.failure_message
                    : is_same_dump(other.entry.item, entry.item)) {
                if (!parts_[part]->is_completed && !parts_[other.part]->is_completed) {
                    note(notes.repeated, entry.item.file, other.part, part);
                }
                return true;
            }
        }
        const bool names_hosts = count_ != 0 && !seen_.front().entry.item.host.empty() && !entry.item.host.empty();
        if (count_ != 0 && (is_ordinary || parts_[seen_.front().part]->head.ordinary || !names_hosts)) {
            note(notes.differing, entry.item.file, seen_.front().part, part);
        }
        add(entry, any_ordinary_ ? document : std::string_view(), part);
        return false;
    }

private:
    struct Seen {
        report::ScanEntry entry;
        std::string document;
        std::size_t part = 0;
    };

    /// Assigns to one that is no longer needed: nearly every dump is the only one of its place.
    void add(const report::ScanEntry& entry, std::string_view document, std::size_t part) {
        if (count_ == seen_.size()) {
            seen_.emplace_back();
        }
        Seen& added = seen_[count_++];
        added.entry = entry;
        added.document = document;
        added.part = part;
    }

    void note(SeveralParts& several, const std::string& file, std::size_t a, std::size_t b) const {
        if (several.count++ == 0) {
            several.first = fmt::format("{} (in {} and {})", file, parts_[a]->name, parts_[b]->name);
        }
    }

    const std::vector<std::shared_ptr<const Part>>& parts_;
    bool any_ordinary_ =
        std::any_of(parts_.begin(), parts_.end(), [](const auto& part) { return part->head.ordinary; });
    std::vector<Seen> seen_;
    std::size_t count_ = 0;  ///< of these are of the place
};

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
