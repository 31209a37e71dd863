// Classifies file names. Converted outputs of a dump are joined, and dropped if their binary exists. A dump and links
// to it count once. Dumps are sorted by the bytes of their paths.
#include "tree/entry.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include <opdebug/tree.hpp>

#include "remarks/diagnose.hpp"
#include "tree/folder.hpp"
#include "tree/name.hpp"
#include "tree/walk.hpp"

namespace opdebug::tree {
namespace {

using OutputsByIndex = std::map<std::uint64_t, std::string>;

/// The converted outputs of one dump in a folder.
struct ConvertedOutputs {
    OutputsByIndex files;
    bool binary_is_there = false;
    bool is_link = false;  ///< the first of the files
};
using ConvertedDumps = std::map<std::string, ConvertedOutputs>;

WalkedDump converted_dump(ConvertedOutputs outputs) {
    WalkedDump dump;
    dump.name = outputs.files.begin()->second;
    dump.is_link = outputs.is_link;
    for (auto& [index, name] : outputs.files) {
        dump.converted.push_back(std::move(name));
    }
    return dump;
}

/// The first output of a dump represents it. The other outputs, and other spellings of an index, are other files.
ConvertedDumps converted_dumps(const std::vector<Candidate>& candidates, std::uint64_t& other_files) {
    ConvertedDumps converted;
    for (const Candidate& candidate : candidates) {
        if (candidate.is_converted && !candidate.counts_elsewhere) {
            const ConvertedName name = *parse_converted_name(candidate.name);
            ConvertedOutputs& outputs = converted[one_spelling(name.dump_name)];
            other_files += outputs.files.empty() ? 0U : 1U;
            const auto [place, is_new] = outputs.files.emplace(name.output_index, candidate.name);
            outputs.is_link = is_new && place == outputs.files.begin() ? candidate.is_link : outputs.is_link;
        }
    }
    return converted;
}

}  // namespace

NameKind kind_of_real_name(std::string_view name) {
    if (const auto is_overflow_dump = names_overflow_dump(name)) {
        return *is_overflow_dump ? NameKind::overflow_dump : NameKind::op_dump;
    }
    if (const auto converted = parse_converted_name(name)) {
        if (names_overflow_dump(converted->dump_name).value_or(false)) {
            return NameKind::converted;
        }
    }
    if (names_operator_values(name)) {
        return NameKind::op_values;
    }
    return begins_like_overflow_dump(name) ? NameKind::nearly_dump : NameKind::other;
}

const MappingFile& NameReader::mapping() {
    if (!mapping_) {
        Result<MappingFile> read = read_mapping_file(folder_, limits_);
        if (!read) {
            failure_ = read.error();
        }
        mapping_ = read ? std::move(read.value()) : MappingFile();
    }
    return *mapping_;
}

std::string_view NameReader::real_name_of(std::string_view name) {
    if (!may_stand_for_long_name(name)) {
        return name;
    }
    const NameMapping& names = mapping().text.names;
    const auto real_name = names.find(name);
    return real_name == names.end() ? name : std::string_view(real_name->second);
}

NameKind NameReader::kind_of(std::string_view name) {
    if (!may_stand_for_long_name(name)) {
        return kind_of_real_name(name);
    }
    const auto real_name = mapping().text.names.find(name);
    if (real_name == mapping_->text.names.end()) {
        return mapping_->is_there && is_decimal(name) ? NameKind::unnamed : NameKind::other;
    }
    const NameKind kind = kind_of_real_name(real_name->second);
    // Outputs are joined by file name, so a renamed output is a dump of its own.
    return kind == NameKind::converted ? NameKind::overflow_dump : kind;
}

bool NameReader::has_several_names(std::string_view name) const {
    return mapping_ && mapping_->text.contradicted.find(name) != mapping_->text.contradicted.end();
}

std::vector<WalkedDump> dumps_of(std::vector<Candidate> candidates, std::uint64_t& other_files) {
    std::vector<WalkedDump> dumps;
    ConvertedDumps converted = converted_dumps(candidates, other_files);
    for (Candidate& candidate : candidates) {
        if (!converted.empty() && !candidate.is_converted) {
            const auto outputs = converted.find(one_spelling(candidate.name));
            if (outputs != converted.end()) {
                outputs->second.binary_is_there = true;
            }
        }
        if (candidate.counts_elsewhere) {
            ++other_files;
        } else if (!candidate.is_converted) {
            dumps.push_back({std::move(candidate.name), {}, candidate.is_link});
        }
    }
    for (auto& [dump_name, outputs] : converted) {
        if (outputs.binary_is_there) {
            ++other_files;
        } else {
            dumps.push_back(converted_dump(std::move(outputs)));
        }
    }
    if (!converted.empty()) {
        std::sort(dumps.begin(), dumps.end(), [](const WalkedDump& a, const WalkedDump& b) { return a.name < b.name; });
    }
    return dumps;
}

void EntryRemarks::add_numbered(const std::string& folder, std::string_view name, NameKind kind,
                                const NameReader& names) {
    if (kind == NameKind::unnamed) {
        unnamed.add(join_path(folder, name));
    }
    if (names.has_several_names(name)) {
        several_names.add(join_path(folder, name));
    }
}

void EntryRemarks::report(std::vector<Diagnostic>& diagnostics) const {
    const auto add = [&diagnostics](std::string_view id, const CountedPaths& paths) {
        if (paths.count != 0) {
            diagnostics.push_back(remarks::diagnose(id, {{"count", paths.count}, {"first", paths.first}}));
        }
    };
    add("dangling_links", dangling_links);
    add("special_files", special_files);
    add("nearly_dump_names", nearly_dumps);
    add("linked_twice", linked_twice);
    add("unnamed_files", unnamed);
    add("several_names", several_names);
}

namespace {

/// Whether the folder has a dump of that name that is no link.
bool has_dump(const FolderAtWork& folder, const std::string& name) {
    const auto found =
        std::lower_bound(folder.candidates.begin(), folder.candidates.end(), name,
                         [](const Candidate& candidate, const std::string& wanted) { return candidate.name < wanted; });
    return found != folder.candidates.end() && found->name == name && !found->is_link;
}

/// All links among the candidates, by path.
std::map<std::string, Candidate*> links_of(std::vector<FolderAtWork>& folders) {
    std::map<std::string, Candidate*> links;
    for (FolderAtWork& folder : folders) {
        for (Candidate& candidate : folder.candidates) {
            if (candidate.is_link) {
                links.emplace(join_path(folder.path, candidate.name), &candidate);
            }
        }
    }
    return links;
}

}  // namespace

CountedPaths mark_linked_twice(std::vector<FolderAtWork>& folders) {
    CountedPaths linked_twice;
    const std::map<std::string, Candidate*> links = links_of(folders);
    if (links.empty()) {
        return linked_twice;
    }
    std::map<FolderIdentity, const FolderAtWork*> by_identity;
    for (const FolderAtWork& folder : folders) {
        by_identity.emplace(folder.identity, &folder);
    }
    std::set<FileIdentity> targets;
    for (const auto& [path, candidate] : links) {
        const std::optional<FileIdentity> target = target_identity(path);
        if (!target) {
            continue;  // the link was removed meanwhile: reading it will fail
        }
        const auto home = by_identity.find(target->first);
        const bool is_found = home != by_identity.end() && has_dump(*home->second, target->second);
        candidate->counts_elsewhere = is_found || !targets.insert(*target).second;
        if (candidate->counts_elsewhere) {
            linked_twice.add(path);
        }
    }
    return linked_twice;
}

std::vector<DumpPosition> dumps_in_path_order(const std::vector<WalkedFolder>& folders) {
    std::vector<DumpPosition> positions;
    std::size_t count = 0;
    for (const WalkedFolder& folder : folders) {
        count += folder.dumps.size();
    }
    positions.reserve(count);
    for (std::uint32_t i = 0; i < folders.size(); ++i) {
        for (std::uint32_t j = 0; j < folders[i].dumps.size(); ++j) {
            positions.push_back({i, j});
        }
    }
    const auto path_of = [&folders](const DumpPosition& position) {
        const WalkedFolder& folder = folders[position.folder];
        return folder.prefix + folder.dumps[position.dump].name;
    };
    const auto is_less = [&path_of](const DumpPosition& a, const DumpPosition& b) {
        return a.folder == b.folder ? a.dump < b.dump : path_of(a) < path_of(b);
    };
    // Folders are sorted by path. Only a folder with dumps inside another one changes the order.
    if (!std::is_sorted(positions.begin(), positions.end(), is_less)) {
        std::sort(positions.begin(), positions.end(), is_less);
    }
    return positions;
}

}  // namespace opdebug::tree
