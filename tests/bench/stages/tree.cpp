// A tree of folders to the list of its dumps.
#include <memory>

#include <opdebug/scan.hpp>

#include "dumps.hpp"
#include "stages.hpp"
#include "temporary_directory.hpp"

namespace opdebug::bench {
namespace {

Run prepare_walk() {
    const auto folder = std::make_shared<test::TemporaryDirectory>();
    write_tree(folder->path(), 200, true);
    return [folder]() -> std::uint64_t { return files_of(*find_dump_tree({folder->path().string()})).size(); };
}

}  // namespace

std::vector<Stage> tree_stages() {
    return {{"tree.walk", prepare_walk}};
}

}  // namespace opdebug::bench
