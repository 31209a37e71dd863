// Names of files → what they are; converted outputs are put together and give way to their binary.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include <opdebug/tree.hpp>

#include "tree/converted_name.hpp"
#include "tree/number.hpp"
#include "tree/spelling.hpp"
#include "tree/walk_folder.hpp"

namespace opdebug::tree {
namespace {

NameKind kind_of_real_name(std::string_view name) {
    if (const auto dump = parse_dump_name(name)) {
        return dump->is_overflow_dump ? NameKind::overflow_dump : NameKind::op_dump;
    }
    if (const auto converted = parse_converted_name(name)) {
        const auto dump = parse_dump_name(converted->dump_name);
        if (dump && dump->is_overflow_dump) {
            return NameKind::converted;
        }
    }
    return begins_like_overflow_dump(name) ? NameKind::nearly_dump : NameKind::other;
}

using OutputsByIndex = std::multimap<std::uint64_t, std::string>;

WalkedDump dump_of(OutputsByIndex outputs) {
    WalkedDump dump;
    dump.name = outputs.begin()->second;
    for (auto& [index, name] : outputs) {
        dump.converted.push_back(std::move(name));
    }
    return dump;
}

}  // namespace

NameKind NameReader::kind_of(std::string_view name) {
    if (!is_decimal(name)) {
        return kind_of_real_name(name);
    }
    if (!mapping_) {
        mapping_ = read_mapping(folder_);
    }
    const auto real_name = mapping_->find(name);
    const NameKind kind = real_name != mapping_->end() ? kind_of_real_name(real_name->second) : NameKind::other;
    // Outputs are put together by the names that their files have, so a renamed one stands for itself.
    return kind == NameKind::converted ? NameKind::overflow_dump : kind;
}

std::vector<WalkedDump> take_dumps(std::vector<Candidate>& candidates, std::uint64_t& other_files) {
    std::vector<WalkedDump> dumps;
    std::map<std::string, OutputsByIndex, std::less<>> converted;
    std::set<std::string, std::less<>> binaries;  // only of folders with converted outputs: they are rare
    const bool any_converted =
        std::any_of(candidates.begin(), candidates.end(), [](const Candidate& c) { return c.is_converted; });
    for (Candidate& candidate : candidates) {
        if (any_converted && !candidate.is_converted) {
            binaries.insert(candidate.name);
        }
        if (candidate.counts_elsewhere) {
            ++other_files;
        } else if (candidate.is_converted) {
            const ConvertedName name = *parse_converted_name(candidate.name);
            converted[std::string(name.dump_name)].emplace(name.output_index, candidate.name);
        } else {
            dumps.push_back({std::move(candidate.name), {}});
        }
    }
    candidates = {};
    for (auto& [dump_name, outputs] : converted) {
        if (binaries.count(dump_name) != 0) {
            other_files += outputs.size();
        } else {
            dumps.push_back(dump_of(std::move(outputs)));
        }
    }
    if (!converted.empty()) {
        std::sort(dumps.begin(), dumps.end(), [](const WalkedDump& a, const WalkedDump& b) { return a.name < b.name; });
    }
    return dumps;
}

}  // namespace opdebug::tree
