// The root of the source of a dump: equal ranks below two roots are two sources.
#include <doctest/doctest.h>

#include "scan/dump_source.hpp"
#include "scan_items.hpp"

using namespace opdebug;
using namespace opdebug::test;

namespace {

const std::string kDumpName = "Opdebug.Node_OpDebug.1.5.1732082705016774";

/// An item with the ids that its path gives.
ScanItem item_at(const std::string& folders) {
    ScanItem item = overflowed_item(folders + kDumpName);
    item.path_ids = parse_path_ids(item.file);
    return item;
}

/// One whose ids are those of another path: where a link leads, or after the working folder.
ScanItem item_at(const std::string& written, const std::string& real) {
    ScanItem item = overflowed_item(written + kDumpName);
    item.path_ids = parse_path_ids(real + kDumpName);
    return item;
}

std::string root(const ScanItem& item) {
    return scan_stage::source_of(item).root;
}

}  // namespace

TEST_CASE("root: the folder above the rank, else above the time, else that of the dump") {
    CHECK(root(item_at("/job/rank_0/net/0/1/")) == "/job/");
    CHECK(root(item_at("/job/rank_00/net/0/1/")) == "/job/");
    CHECK(root(item_at("/job/rank_0/20260304180000/1/")) == "/job/");
    CHECK(root(item_at("/job/20260304180000/1/net/2/3/")) == "/job/");
    CHECK(root(item_at("/job/worldsize8_global_rank3/20260304180000/1/")) == "/job/");
    CHECK(root(item_at("/job/x/")) == "/job/x");
    CHECK(root(item_at("rank_0/x/")).empty());
    CHECK(root(item_at("")).empty());
}

TEST_CASE("root: all steps of a rank are one place, and the trees above them are not") {
    CHECK(root(item_at("nodeA/step0/rank0/x/")) == "nodeA/");
    CHECK(root(item_at("nodeA/step1/rank00/x/")) == "nodeA/");
    CHECK(root(item_at("nodeA/step1/rank_0/x/")) == "nodeA/");
    CHECK(root(item_at("nodeA/step1/20260304180000/0/")) == "nodeA/");
    CHECK(scan_stage::source_of(item_at("nodeA/step0/rank0/x/")) ==
          scan_stage::source_of(item_at("nodeA/step1/rank0/x/")));
    CHECK_FALSE(scan_stage::source_of(item_at("nodeA/step0/rank0/x/")) ==
                scan_stage::source_of(item_at("nodeB/step0/rank0/x/")));
}

TEST_CASE("root: the folder of the dump if the path does not show the folder of the rank or time") {
    CHECK(root(item_at("a/latest/0/", "/job/20260304180000/0/")) == "a/latest/0");
    CHECK(root(item_at("net/0/1/", "/job/rank_0/net/0/1/")) == "net/0/1");
}
