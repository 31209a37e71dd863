#include "locate/op_dump_folders.hpp"

#include <optional>
#include <utility>

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
        index =
            std::make_shared<const locate_stage::OpDumpFolder>(locate_stage::index_folder(folder, mappings, limits));
    }
    return index;
}

}  // namespace v0
}  // namespace opdebug

namespace opdebug::locate_stage {

OpDumpFolder index_folder(const std::string& folder, tree::KnownMappings& mappings, const Limits& limits) {
    OpDumpFolder index;
    const tree::FolderListing listing = tree::list_folder(folder);
    if (listing.failure && listing.failure->code != ErrorCode::file_not_found) {
        index.unread = listing.failure;
    }
    std::shared_ptr<const Result<tree::NameMapping>> mapping;  // read only when a file of that kind is there
    for (const tree::FolderEntry& entry : listing.entries) {
        std::string real_name = entry.name;
        if (tree::is_decimal(entry.name)) {
            mapping = mapping ? mapping : mappings.of_folder(folder, limits);
            if (*mapping) {
                const auto mapped = (*mapping)->find(entry.name);
                real_name = mapped != (*mapping)->end() ? mapped->second : real_name;
            } else {
                index.names_unread = mapping->error();
            }
        }
        const std::optional<DumpName> name = parse_dump_name(real_name);
        if (name && !name->is_overflow_dump && name->task_id) {
            index.dumps.emplace(*name->task_id, OpDumpFile{tree::join_path(folder, entry.name), real_name, *name});
        }
    }
    return index;
}

}  // namespace opdebug::locate_stage
