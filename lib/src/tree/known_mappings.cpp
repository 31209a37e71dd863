#include "tree/known_mappings.hpp"

#include <opdebug/tree.hpp>

#include "tree/folder.hpp"
#include "tree/mapping.hpp"

namespace opdebug::tree {

std::shared_ptr<const Result<NameMapping>> KnownMappings::of_folder(const std::string& folder, const Limits& limits) {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::shared_ptr<const Result<NameMapping>>& mapping = mappings_[folder];
    if (!mapping) {
        mapping = std::make_shared<const Result<NameMapping>>(read_mapping(folder, limits));
    }
    return mapping;
}

Result<std::string> KnownMappings::real_name_of(const std::string& file, const Limits& limits) {
    const std::string_view name = file_name_of(file);
    if (!may_stand_for_long_name(name)) {
        return std::string();
    }
    const std::shared_ptr<const Result<NameMapping>> mapping = of_folder(folder_of(file), limits);
    if (!*mapping) {
        return mapping->error();
    }
    const auto real_name = (*mapping)->find(name);
    return real_name != (*mapping)->end() ? real_name->second : std::string();
}

}  // namespace opdebug::tree
