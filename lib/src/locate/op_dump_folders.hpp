// Which operator dumps a folder holds, by task id.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <opdebug/locate.hpp>

#include "tree/known_mappings.hpp"

namespace opdebug::locate_stage {

/// An operator dump as its folder shows it.
struct OpDumpFile {
    std::string path;
    std::string real_name;  ///< differs from the path's last part when mapping.csv gives it
    DumpName name;
};

using OpDumpIndex = std::multimap<std::uint64_t, OpDumpFile>;  ///< by task id, in order of names

struct OpDumpFolder {
    OpDumpIndex dumps;
    std::optional<Error> unread;        ///< why files may be missing
    std::optional<Error> names_unread;  ///< files called by numbers are there, but mapping.csv cannot be read
};

/// The operator dumps of a folder; none when it is gone (the dump may be so by now; its record still stands).
OpDumpFolder index_folder(const std::string& folder, tree::KnownMappings& mappings, const Limits& limits);

}  // namespace opdebug::locate_stage

/// Indexes by folder, made when first asked for; the real names in them are those that overflow dumps are given, too.
struct opdebug::OpDumpFolders::Contents {
    opdebug::tree::KnownMappings mappings;
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const locate_stage::OpDumpFolder>> folders;

    std::shared_ptr<const locate_stage::OpDumpFolder> index_of(const std::string& folder, const Limits& limits);
};
