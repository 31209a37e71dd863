#include "locate/op_dump_folders.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "tree/dump_name.hpp"
#include "tree/folder.hpp"
#include "tree/number.hpp"

namespace opdebug {
inline namespace v0 {

OpDumpFolders::OpDumpFolders() : contents_(std::make_unique<Contents>()) {}
OpDumpFolders::~OpDumpFolders() = default;

std::shared_ptr<const locate_stage::OpDumpFolder> OpDumpFolders::Contents::index_of(const std::string& folder,
                                                                                    const Limits& limits) {
    const std::lock_guard<std::mutex> lock(mutex);
    std::shared_ptr<const locate_stage::OpDumpFolder>& index = folders[folder];
    if (!index) {
        index = listed != nullptr ? std::make_shared<const locate_stage::OpDumpFolder>(*listed)
                                  : std::make_shared<const locate_stage::OpDumpFolder>(folder, mappings, limits);
    }
    return index;
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::locate_stage {

OpDumpFolder::OpDumpFolder(const std::string& folder, tree::KnownMappings& mappings, const Limits& limits) {
    tree::FolderListing listing = tree::list_folder(folder);
    if (listing.failure && listing.failure->code != ErrorCode::file_not_found) {
        unread_ = listing.failure;
    }
    names_ = std::move(listing.names);
    for (const tree::FolderEntry& entry : listing.entries) {
        add(entry.name, real_name_of(entry.name, folder, mappings, limits));
    }
    put_in_order();
}

OpDumpFolder::OpDumpFolder(const tree::PackedNames& listed) {
    listed.each([this](std::string_view name) { add(name, name); });
    put_in_order();
}

std::string_view OpDumpFolder::real_name_of(std::string_view name, const std::string& folder,
                                            tree::KnownMappings& mappings, const Limits& limits) {
    if (!tree::is_decimal(name)) {
        return name;
    }
    mapping_ = mapping_ ? mapping_ : mappings.of_folder(folder, limits);
    if (!*mapping_) {
        names_unread_ = mapping_->error();
        return name;
    }
    const auto mapped = (*mapping_)->find(name);
    return mapped != (*mapping_)->end() ? std::string_view(mapped->second) : name;
}

void OpDumpFolder::add(std::string_view name, std::string_view real_name) {
    if (const auto task_id = tree::task_of_op_dump(real_name)) {
        dumps_.push_back({*task_id, name, real_name});
    }
}

void OpDumpFolder::put_in_order() {
    std::sort(dumps_.begin(), dumps_.end(), [](const OpDumpFile& a, const OpDumpFile& b) {
        return std::tie(a.task_id, a.name) < std::tie(b.task_id, b.name);
    });
}

OpDumpFolder::Range OpDumpFolder::of_task(std::uint64_t task_id) const {
    struct ByTask {
        bool operator()(const OpDumpFile& dump, std::uint64_t task) const { return dump.task_id < task; }
        bool operator()(std::uint64_t task, const OpDumpFile& dump) const { return task < dump.task_id; }
    };
    return std::equal_range(dumps_.begin(), dumps_.end(), task_id, ByTask{});
}

}  // namespace opdebug::locate_stage
