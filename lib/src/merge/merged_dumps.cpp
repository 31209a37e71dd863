#include "merge/part.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "report/parts/part_lines.hpp"

namespace opdebug::merge {
namespace {

bool is_same_file(const ScanItem& a, const ScanItem& b) {
    return a.file == b.file && a.timestamp_us == b.timestamp_us;
}

/// Finds dumps of the same path and time in several parts. Two dumps of one host are the same. Dumps of different or
/// unnamed hosts are the same only if their content is: hosts may have different dumps under one path.
class DuplicateFilter {
public:
    explicit DuplicateFilter(const std::vector<std::shared_ptr<const Part>>& parts) : parts_(parts) {}

    /// Whether an earlier part had the dump.
    bool has(const report::ScanEntry& entry, std::size_t part, PassNotes& notes);

private:
    /// Adds what the dump is known by. Returns the part of an equal dump; nothing: there is none.
    std::optional<std::size_t> add(const report::ScanEntry& entry, std::size_t part);
    void note(SeveralParts& several, const std::string& file, std::size_t a, std::size_t b) const;

    const std::vector<std::shared_ptr<const Part>>& parts_;
    std::optional<report::ScanEntry> first_;  ///< of a path and time
    std::size_t first_part_ = 0;
    /// The parts of the dumps of that path and time, by host and by content; empty while there is one dump.
    std::map<std::string, std::size_t> by_host_, by_content_;
};

std::optional<std::size_t> DuplicateFilter::add(const report::ScanEntry& entry, std::size_t part) {
    report::ScanEntry unnamed = entry;
    const std::string host = std::exchange(unnamed.item.host, "");
    const auto [content, is_new] = by_content_.emplace(report::dump_line(unnamed), part);
    if (host.empty()) {
        return is_new ? std::nullopt : std::optional(content->second);
    }
    const auto [of_host, is_new_host] = by_host_.emplace(host, part);
    return is_new && is_new_host ? std::nullopt : std::optional(is_new_host ? content->second : of_host->second);
}

bool DuplicateFilter::has(const report::ScanEntry& entry, std::size_t part, PassNotes& notes) {
    if (!first_ || !is_same_file(first_->item, entry.item)) {
        first_ = entry;
        first_part_ = part;
        by_host_.clear();
        by_content_.clear();
        return false;
    }
    if (by_content_.empty()) {
        (void)add(*first_, first_part_);
    }
    if (const std::optional<std::size_t> other = add(entry, part)) {
        note(notes.repeated, entry.item.file, *other, part);
        return true;
    }
    if (entry.item.host.empty() || first_->item.host.empty()) {
        note(notes.differing, entry.item.file, first_part_, part);
    }
    return false;
}

void DuplicateFilter::note(SeveralParts& several, const std::string& file, std::size_t a, std::size_t b) const {
    if (several.count++ == 0) {
        several.first = fmt::format("{} (in {} and {})", file, parts_[a]->name, parts_[b]->name);
    }
}

constexpr std::size_t kAllPieces = std::size_t{32} << 20U;
constexpr std::size_t kLeastPiece = std::size_t{4} << 10U, kMostPiece = std::size_t{256} << 10U;

}  // namespace

std::optional<Error> each_merged_dump(const std::vector<std::shared_ptr<const Part>>& parts, const UseMergedDump& use,
                                      PassNotes& notes) {
    const std::size_t piece = std::clamp(kAllPieces / std::max<std::size_t>(parts.size(), 1), kLeastPiece, kMostPiece);
    std::vector<std::unique_ptr<PartReader>> readers;
    readers.reserve(parts.size());
    for (const auto& part : parts) {
        readers.push_back(std::make_unique<PartReader>(*part, piece));
    }
    // Of dumps with equal order that of the first part comes first.
    const auto comes_after = [&readers](std::size_t a, std::size_t b) {
        const ScanItem &item_a = readers[a]->dump().entry.item, &item_b = readers[b]->dump().entry.item;
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
    DuplicateFilter duplicates(parts);
    while (!next.empty()) {
        const std::size_t part = next.top();
        next.pop();
        const report::DumpLine& dump = readers[part]->dump();
        const auto document = [&dump]() -> Result<std::string_view> { return std::string_view(dump.document); };
        const Result<bool> goes_on = duplicates.has(dump.entry, part, notes) ? true : use({dump.entry, document}, part);
        if (!goes_on) {
            return goes_on.error();
        }
        if (!*goes_on) {
            break;
        }
        advance(part);
    }
    for (const auto& reader : readers) {
        notes.parts.push_back(reader->notes());
    }
    return std::nullopt;
}

}  // namespace opdebug::merge
