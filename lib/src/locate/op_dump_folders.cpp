#include "locate/op_dump_folders.hpp"

#include <optional>
#include <utility>

#include "tree/folder.hpp"
#include "tree/mapping.hpp"
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
        index = std::make_shared<const locate_stage::OpDumpFolder>(locate_stage::index_folder(folder, limits));
    }
    return index;
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::locate_stage {

OpDumpFolder index_folder(const std::string& folder, const Limits& limits) {
    OpDumpFolder index;
    const tree::FolderListing listing = tree::list_folder(folder);
    if (listing.failure && listing.failure->code != ErrorCode::file_not_found) {
        index.unread = listing.failure;
    }
    std::optional<tree::NameMapping> mapping;  // read only when a file of that kind is there
    for (const tree::FolderEntry& entry : listing.entries) {
        std::string real_name = entry.name;
        if (tree::is_decimal(entry.name)) {
            if (!mapping) {
                Result<tree::NameMapping> read = tree::read_mapping(folder, limits);
                if (!read) {
                    index.names_unread = read.error();
                }
                mapping = read ? std::move(read.value()) : tree::NameMapping();
            }
            const auto mapped = mapping->find(entry.name);
            real_name = mapped != mapping->end() ? mapped->second : real_name;
        }
        const std::optional<DumpName> name = parse_dump_name(real_name);
        if (name && !name->is_overflow_dump && name->task_id) {
            index.dumps.emplace(*name->task_id, OpDumpFile{tree::join_path(folder, entry.name), real_name, *name});
        }
    }
    return index;
}

}  // namespace opdebug::locate_stage
