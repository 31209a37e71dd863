#include "locate/op_dump_folders.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <tuple>
#include <utility>

#include <opdebug/api.hpp>
#include <opdebug/dump.hpp>

#include "tree/name.hpp"

namespace opdebug {
inline namespace v0 {

OpDumpFolders::OpDumpFolders() : contents_(std::make_unique<Contents>()) {}
OpDumpFolders::~OpDumpFolders() = default;

std::shared_ptr<const locate_stage::OpDumpFolder> OpDumpFolders::Contents::index_of(const std::string& folder,
                                                                                    const Limits& limits) {
    const std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<const locate_stage::OpDumpFolder>& index = folders[folder];
    if (!index) {
        index = std::make_shared<const locate_stage::OpDumpFolder>(folder, mappings, limits);
    }
    return index;
}

std::vector<std::string> OpDumpFolders::Contents::graph_folders_of(const std::string& folder) {
    const std::lock_guard<std::mutex> lock(mutex);
    const auto known = graph_folders.find(folder);
    return known != graph_folders.end()
               ? known->second
               : graph_folders.emplace(folder, locate_stage::graph_folders_of(folder)).first->second;
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::locate_stage {

OpDumpFolder::OpDumpFolder(const std::string& folder, tree::KnownMappings& mappings, const Limits& limits)
    : path_(folder) {
    tree::FolderListing listing = tree::list_folder(folder);
    if (listing.failure && listing.failure->code != ErrorCode::file_not_found) {
        unread = listing.failure;
    }
    entries_ = std::move(listing.entries);
    for (const tree::FolderEntry& entry : entries_) {
        if (entry.kind == tree::EntryKind::folder) {
            continue;
        }
        add(entry.name, real_name_of(entry.name, mappings, limits));
    }
    add_rows(limits);
    std::stable_sort(dumps_.begin(), dumps_.end(), [](const OpDumpFile& a, const OpDumpFile& b) {
        return std::tuple(lower_half(a.task_id), a.name) < std::tuple(lower_half(b.task_id), b.name);
    });
}

std::string_view OpDumpFolder::real_name_of(std::string_view name, tree::KnownMappings& mappings,
                                            const Limits& limits) {
    if (!tree::may_stand_for_long_name(name)) {
        return name;
    }
    mapping_ = mapping_ ? mapping_ : mappings.of_folder(path_, limits);
    if (!*mapping_) {
        names_unread = mapping_->error();
        return name;
    }
    const auto mapped = (*mapping_)->find(name);
    return mapped != (*mapping_)->end() ? std::string_view(mapped->second) : name;
}

void OpDumpFolder::add(std::string_view name, std::string_view real_name) {
    OpDumpFile file{OpFileKind::dump, 0, name, real_name, real_name};
    std::optional<std::uint64_t> task_id = tree::task_of_op_dump(real_name);
    if (!task_id) {
        if (const auto tensor = tree::parse_tensor_file_name(real_name)) {
            file.kind = OpFileKind::tensor;
            file.dump_name = tensor->dump_name;
        } else if (const auto dump_name = tree::dump_name_of_statistics(real_name)) {
            file.kind = OpFileKind::statistics;
            file.dump_name = *dump_name;
        }
        task_id = file.kind == OpFileKind::dump ? std::nullopt : tree::task_of_op_dump(file.dump_name);
    }
    if (task_id) {
        file.task_id = *task_id;
        dumps_.push_back(file);
    } else if (const auto dump = parse_dump_name(real_name); dump && dump->is_overflow_dump && dump->timestamp_us) {
        overflow_dumps_.emplace_back(*dump->timestamp_us, name);
    }
}

void OpDumpFolder::add_rows(const Limits& limits) {
    const auto is_list = [](const tree::FolderEntry& entry) { return entry.name == tree::kStatisticList; };
    if (std::none_of(entries_.begin(), entries_.end(), is_list)) {
        return;
    }
    ApiReadOptions options;
    options.limits = limits;
    const auto add_row = [this](ApiEntry&& entry) {
        if (entry.task_id && entry.stream_id && !entry.name.empty()) {
            DumpName name;
            name.op_type = std::move(entry.api);
            name.op_name = std::move(entry.name);
            name.task_id = entry.task_id;
            name.stream_id = entry.stream_id;
            name.timestamp_us = entry.timestamp_us;
            dumps_.push_back({OpFileKind::row,
                              *entry.task_id,
                              tree::kStatisticList,
                              tree::kStatisticList,
                              {},
                              std::make_shared<const DumpName>(std::move(name))});
        }
    };
    // The rows before a fault are there.
    static_cast<void>(read_api_dump(tree::join_path(path_, tree::kStatisticList), options, add_row));
}

OpDumpFolder::Range OpDumpFolder::of_task(std::uint64_t task_id) const {
    struct ByTask {
        bool operator()(const OpDumpFile& dump, std::uint64_t task) const { return lower_half(dump.task_id) < task; }
        bool operator()(std::uint64_t task, const OpDumpFile& dump) const { return task < lower_half(dump.task_id); }
    };
    return std::equal_range(dumps_.begin(), dumps_.end(), lower_half(task_id), ByTask{});
}

bool OpDumpFolder::has_nearer_overflow_dump(std::uint64_t time_us, const TaskQuery& query, const Limits& limits) const {
    std::vector<std::pair<std::uint64_t, std::string_view>> nearer;
    for (const auto& [of_dump_us, name] : overflow_dumps_) {
        const std::uint64_t distance_us = distance_of(of_dump_us, time_us);
        if (of_dump_us != query.timestamp_us && distance_us < distance_of(query.timestamp_us, time_us)) {
            nearer.emplace_back(distance_us, name);
        }
    }
    std::sort(nearer.begin(), nearer.end());
    nearer.resize(std::min(nearer.size(), static_cast<std::size_t>(limits.candidates)));  // each is read
    return std::any_of(nearer.begin(), nearer.end(), [&](const auto& other) {
        DecodeOptions options;
        options.ids_behind_links = false;
        options.limits = limits;
        const Result<Dump> dump = decode_file(tree::join_path(path_, other.second), options);
        const std::vector<OverflowedRecord> records =
            dump ? overflowed_records(*dump) : std::vector<OverflowedRecord>();
        return std::any_of(records.begin(), records.end(), [&query](const OverflowedRecord& overflowed) {
            const TaskQuery its = query_of(*overflowed.record, overflowed.timestamp_us);
            return its.stream_id == query.stream_id && its.task_id == query.task_id;
        });
    });
}

namespace {

/// The names of the folders in a folder, and of the links that may lead to some.
std::vector<std::string> folders_in(const std::string& folder) {
    std::vector<std::string> names;
    const tree::FolderListing listing = tree::list_folder(folder);
    for (const tree::FolderEntry& entry : listing.entries) {
        if (entry.may_be_folder) {
            names.emplace_back(entry.name);
        }
    }
    return names;
}

bool is_folder(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_directory(path, ignored);
}

/// A relative path may start below the folders in question.
std::string absolute_path(const std::string& folder) {
    std::error_code failed;
    const std::filesystem::path absolute = std::filesystem::absolute(folder, failed).lexically_normal();
    return failed ? folder : absolute.has_filename() ? absolute.string() : absolute.parent_path().string();  // of "."
}

struct DebugFiles {
    std::string rank_folder;
    std::string iteration;
};

std::optional<DebugFiles> debug_files_of(const std::string& folder) {
    const std::string_view iteration = file_name_of(folder);
    const std::string above = tree::folder_of(folder);
    if (!tree::is_decimal(iteration) || file_name_of(above) != "debug_files") {
        return std::nullopt;
    }
    return DebugFiles{tree::folder_of(above), std::string(iteration)};
}

}  // namespace

std::vector<std::string> graph_folders_of(const std::string& folder) {
    std::optional<DebugFiles> place = debug_files_of(folder);
    if (!place && !folder.starts_with('/')) {
        place = debug_files_of(absolute_path(folder));
    }
    std::vector<std::string> folders;
    if (!place) {
        return folders;
    }
    for (const std::string& net : folders_in(place->rank_folder)) {
        const std::string graphs = tree::join_path(place->rank_folder, net);
        if (net == "debug_files") {
            continue;
        }
        for (const std::string& graph : folders_in(graphs)) {
            const std::string iteration = tree::join_path(tree::join_path(graphs, graph), place->iteration);
            if (tree::is_decimal(graph) && is_folder(iteration)) {
                folders.push_back(iteration);
            }
        }
    }
    return folders;
}

}  // namespace opdebug::locate_stage
