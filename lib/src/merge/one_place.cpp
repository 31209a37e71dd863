#include "merge/one_place.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "report/parts/part_lines.hpp"

namespace opdebug::merge {
namespace {

bool is_same_place(const ScanItem& a, const ScanItem& b) {
    return a.file == b.file && a.timestamp_us == b.timestamp_us;
}

std::string line_without_host(const ScanItem& item) {
    report::DumpLine line{{item, {}, {}, {}, {}}};
    line.entry.item.host.clear();
    return report::dump_line(line);
}

}  // namespace

OnePlace::OnePlace(const std::vector<std::shared_ptr<const Part>>& parts)
    : parts_(parts),
      any_ordinary_(std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part->head.ordinary; })) {}

bool OnePlace::has(Run& run, std::size_t part, PassNotes& notes) {
    const Result<std::string_view> document = any_ordinary_ ? run.text(report::KeptText::document) : std::string_view();
    const ScanItem& item = run.entry().item;
    const bool is_first = is_empty_ || !is_same_place(first_.entry.item, item);
    Dump& dump = is_first ? first_ : next_;
    dump.entry = run.entry();
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

OnePlace::Keys OnePlace::keys_of(const Dump& dump) const {
    const report::ScanEntry& entry = dump.entry;
    const auto shown = [&](KeyOf of) { return Key{of, dump.document, entry.failure_code, entry.failure_message}; };
    if (parts_[dump.part]->head.ordinary) {
        return {{shown(KeyOf::ordinary), shown(KeyOf::partial)}, {shown(KeyOf::ordinary)}};
    }
    Keys keys;
    if (!entry.item.host.empty()) {
        keys.had.push_back({KeyOf::host, entry.item.host});
    }
    keys.had.push_back({KeyOf::line, line_without_host(entry.item)});
    keys.asked = keys.had;
    if (any_ordinary_) {
        keys.asked.push_back(shown(KeyOf::ordinary));
        keys.had.push_back(shown(KeyOf::partial));
    }
    return keys;
}

void OnePlace::add(Keys&& keys, std::size_t part) {
    for (Key& key : keys.had) {
        numbers_.try_emplace(std::move(key), parts_of_dumps_.size());
    }
    parts_of_dumps_.push_back(part);
}

const std::size_t* OnePlace::same_as(const Keys& keys) const {
    std::size_t first = parts_of_dumps_.size();
    for (const Key& key : keys.asked) {
        const auto found = numbers_.find(key);
        first = found == numbers_.end() ? first : std::min(first, found->second);
    }
    return first == parts_of_dumps_.size() ? nullptr : &parts_of_dumps_[first];
}

void OnePlace::note(SeveralParts& several, const std::string& file, std::size_t a, std::size_t b) const {
    if (several.count++ == 0) {
        several.first = fmt::format("{} (in {} and {})", file, parts_[a]->name, parts_[b]->name);
    }
}

}  // namespace opdebug::merge
