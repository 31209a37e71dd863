// The mapping.csv of folders, each read once.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <opdebug/limits.hpp>
#include <opdebug/result.hpp>

#include "tree/mapping.hpp"

namespace opdebug::tree {

/// Remembers what was read, also that it could not be. Thread-safe.
class KnownMappings {
public:
    /// As read_mapping().
    std::shared_ptr<const Result<NameMapping>> of_folder(const std::string& folder, const Limits& limits);

    /// As real_name_of() of mapping.hpp.
    Result<std::string> real_name_of(const std::string& file, const Limits& limits);

private:
    std::mutex mutex_;
    std::map<std::string, std::shared_ptr<const Result<NameMapping>>> mappings_;  ///< by folder
};

}  // namespace opdebug::tree
