#include "merge/merged_dumps.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "merge/part_reader.hpp"
#include "report/parts/part_lines.hpp"

namespace opdebug::merge {
namespace {

bool is_same_file(const ScanItem& a, const ScanItem& b) {
    return a.file == b.file && a.timestamp_us == b.timestamp_us;
}

std::string line_without_host(const ScanItem& item) {
    report::DumpLine line{{item, {}, {}, {}, {}}};
    line.entry.item.host.clear();
    return report::dump_line(line);
}

/// Finds dumps of the same path and time in several parts. Two dumps of one host are the same. Dumps of different or
/// unnamed hosts are the same only if all their content is: hosts may have different dumps under one path. Ordinary
/// reports need not name their hosts.
class DuplicateFilter {
public:
    explicit DuplicateFilter(const std::vector<std::shared_ptr<const Part>>& parts);

    /// Whether an earlier part had the dump. Keeps its document, which may be needed to compare others with it.
    bool has(PartReader& reader, std::size_t part, PassNotes& notes);

private:
    struct Dump {
        report::ScanEntry entry;
        std::string document;  ///< where a report is ordinary
        std::size_t part = 0;
    };
    /// By which dumps are known: the host, the line without its host, what dumps of a partial or an ordinary report
    /// show.
    enum class KeyOf { host, line, partial, ordinary };
    struct Key {
        KeyOf of = KeyOf::host;
        std::string text, failure_code = {}, failure_message = {};
        bool operator<(const Key& other) const noexcept {
            return std::tie(of, text, failure_code, failure_message) <
                   std::tie(other.of, other.text, other.failure_code, other.failure_message);
        }
    };
    /// A dump is the same as an earlier one if one of its matching keys is an own key of that.
    struct Keys {
        std::vector<Key> matching, own;
    };

    Keys keys_of(const Dump& dump) const;
    void add(Keys&& keys, std::size_t part);
    /// The part of the first dump that is the same; null: none is.
    const std::size_t* same_as(const Keys& keys) const;
    void note(SeveralParts& several, const std::string& file, std::size_t a, std::size_t b) const;

    const std::vector<std::shared_ptr<const Part>>& parts_;
    bool any_ordinary_;
    bool is_empty_ = true;
    Dump first_, next_;  ///< nearly every dump is the only one of its path and time: their memory is reused
    std::vector<std::size_t> parts_of_dumps_;  ///< in the order in which they came; empty while there is only the first
    std::map<Key, std::size_t> numbers_;       ///< the first dump that has a key
};

DuplicateFilter::DuplicateFilter(const std::vector<std::shared_ptr<const Part>>& parts)
    : parts_(parts),
      any_ordinary_(std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part->head.ordinary; })) {}

bool DuplicateFilter::has(PartReader& reader, std::size_t part, PassNotes& notes) {
    const Result<std::string_view> document =
        any_ordinary_ ? reader.text(report::KeptText::document) : std::string_view();
    const ScanItem& item = reader.entry().item;
    const bool is_first = is_empty_ || !is_same_file(first_.entry.item, item);
    Dump& dump = is_first ? first_ : next_;
    dump.entry = reader.entry();
    dump.document = document ? *document : std::string_view();
    dump.part = part;
    if (is_first) {
        is_empty_ = false;
        parts_of_dumps_.clear();
        numbers_.clear();
        return false;
    }
    if (parts_of_dumps_.empty()) {
        add(keys_of(first_), first_.part);
    }
    Keys keys = keys_of(dump);
    if (const std::size_t* other = same_as(keys)) {
        if (!parts_[part]->is_completed && !parts_[*other]->is_completed) {
            note(notes.repeated, item.file, *other, part);
        }
        return true;
    }
    const bool names_hosts = !first_.entry.item.host.empty() && !item.host.empty();
    if (parts_[part]->head.ordinary || parts_[first_.part]->head.ordinary || !names_hosts) {
        note(notes.differing, item.file, first_.part, part);
    }
    add(std::move(keys), part);
    return false;
}

DuplicateFilter::Keys DuplicateFilter::keys_of(const Dump& dump) const {
    const report::ScanEntry& entry = dump.entry;
    const auto shown = [&](KeyOf of) { return Key{of, dump.document, entry.failure_code, entry.failure_message}; };
    if (parts_[dump.part]->head.ordinary) {
        return {{shown(KeyOf::ordinary), shown(KeyOf::partial)}, {shown(KeyOf::ordinary)}};
    }
    Keys keys;
    if (!entry.item.host.empty()) {
        keys.own.push_back({KeyOf::host, entry.item.host});
    }
    keys.own.push_back({KeyOf::line, line_without_host(entry.item)});
    keys.matching = keys.own;
    if (any_ordinary_) {
        keys.matching.push_back(shown(KeyOf::ordinary));
        keys.own.push_back(shown(KeyOf::partial));
    }
    return keys;
}

void DuplicateFilter::add(Keys&& keys, std::size_t part) {
    for (Key& key : keys.own) {
        numbers_.try_emplace(std::move(key), parts_of_dumps_.size());
    }
    parts_of_dumps_.push_back(part);
}

const std::size_t* DuplicateFilter::same_as(const Keys& keys) const {
    std::size_t first = parts_of_dumps_.size();
    for (const Key& key : keys.matching) {
        const auto found = numbers_.find(key);
        first = found == numbers_.end() ? first : std::min(first, found->second);
    }
    return first == parts_of_dumps_.size() ? nullptr : &parts_of_dumps_[first];
}

void DuplicateFilter::note(SeveralParts& several, const std::string& file, std::size_t a, std::size_t b) const {
    if (several.count++ == 0) {
        several.first = fmt::format("{} (in {} and {})", file, parts_[a]->name, parts_[b]->name);
    }
}

constexpr std::size_t kAllPieces = std::size_t{32} << 20U;
constexpr std::size_t kLeastPiece = std::size_t{4} << 10U, kMostPiece = std::size_t{256} << 10U;

}  // namespace

void MergedDumps::each(const std::function<bool(const report::DumpInOrder&, std::size_t)>& use,
                       PassNotes& notes) const {
    const std::size_t piece = std::clamp(kAllPieces / std::max<std::size_t>(parts_.size(), 1), kLeastPiece, kMostPiece);
    std::vector<std::unique_ptr<PartReader>> readers;
    for (const auto& part : parts_) {
        readers.push_back(std::make_unique<PartReader>(*part, piece, tensors_));
    }
    // Of dumps with equal order that of the first part comes first.
    const auto comes_after = [&readers](std::size_t a, std::size_t b) {
        const ScanItem &item_a = readers[a]->entry().item, &item_b = readers[b]->entry().item;
        return comes_before(item_b, item_a) || (!comes_before(item_a, item_b) && b < a);
    };
    std::priority_queue<std::size_t, std::vector<std::size_t>, decltype(comes_after)> next(comes_after);
    const auto advance = [&](std::size_t part) {
        if (readers[part]->advance()) {
            next.push(part);
        }
    };
    for (std::size_t part = 0; part < readers.size(); ++part) {
        advance(part);
    }
    DuplicateFilter duplicates(parts_);
    while (!next.empty()) {
        const std::size_t part = next.top();
        next.pop();
        PartReader& reader = *readers[part];
        const auto text = [&reader](report::KeptText which) { return reader.text(which); };
        if (!duplicates.has(reader, part, notes) && !use({reader.entry(), text}, part)) {
            break;
        }
        advance(part);
    }
    for (const auto& reader : readers) {
        notes.parts.push_back(reader->notes());
    }
}

std::optional<Error> MergedDumps::each(const report::UseDump& use) const {
    PassNotes notes;
    each([&use](const report::DumpInOrder& dump, std::size_t) { return use(dump); }, notes);
    return std::nullopt;
}

}  // namespace opdebug::merge
