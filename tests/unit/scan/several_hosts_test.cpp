// Equal time and device folders below different folders: the scan warns of several hosts.
#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "dump_builder.hpp"
#include "dump_tree.hpp"
#include "temporary_directory.hpp"

using namespace opdebug;
using namespace opdebug::test;

TEST_CASE("several hosts: equal time and device below different folders, unless ranks distinguish them") {
    const auto warns = [](const std::string& first, const std::string& second) {
        const TemporaryDirectory directory;
        for (const std::string& folder : {first, second}) {
            write_file(directory / (folder + "/net/1/2/Opdebug.Node_OpDebug.6.5.1732082705000000"),
                       build_overflow_dump(ai_core_example(32)));
        }
        const auto diagnostics = scan_tree({directory.path().string()}).scan.diagnostics;
        return std::any_of(diagnostics.begin(), diagnostics.end(),
                           [](const Diagnostic& one) { return one.code == "several_hosts"; });
    };
    CHECK(warns("node-1/20241120060505/0", "node-2/20241120060505/0"));
    CHECK_FALSE(warns("node-1/20241120060505/0", "node-2/20241120060505/1"));
    CHECK_FALSE(warns("node-1/20241120060505/0", "node-2/20241120060506/0"));
    CHECK_FALSE(warns("rank_0/20241120060505/0", "rank_1/20241120060505/0"));
}
