// What order and groups take from a scanned dump.
#include <doctest/doctest.h>

#include "scan_items.hpp"

using namespace opdebug;
using namespace opdebug::test;
using Causes = std::vector<std::string>;

namespace {

const std::string item_path = "run/20260304100000/3/resnet/11/7/Opdebug.Node_OpDebug.1.5.1772618405000000";

}  // namespace

TEST_CASE("scan item: place, time and causes of an overflowed dump") {
    const ScanItem item = scan_item_of(scanned_dump(item_path, 0x110));
    CHECK(item.file == item_path);
    CHECK(item.state == DumpState::overflowed);
    CHECK(item.path_ids.device_id == 3);
    CHECK(item.path_ids.data_index == 7);
    CHECK(item.timestamp_us == 1772618405000000);
    CHECK(cause_ids(item) == Causes{"ai_core.fp16_conversion_overflow", "ai_core.integer_overflow"});
    CHECK(item.causes[0].block_id == 1);  // block_idx of the example record
    CHECK_FALSE(item.causes[0].core_id);
    CHECK(item.model == "resnet");
}

TEST_CASE("scan item: a status without a named cause is still a group") {
    CHECK(cause_ids(scan_item_of(scanned_dump(item_path, 0x1))) == Causes{"ai_core.undocumented"});
    AcceleratorPayload payload;
    payload.entries = {counting_entry(AccType::sdma, 1)};
    CHECK(cause_ids(scan_item_of(scanned_dump(item_path, payload))) == Causes{"sdma.undocumented"});
}

TEST_CASE("scan item: core and block are those of the overflowed record") {
    AcceleratorPayload payload;
    payload.entries = {core_entry(AccType::aic, 57, 0x20, 17, 4)};
    const ScanItem item = scan_item_of(scanned_dump(item_path, payload));
    REQUIRE(item.causes.size() == 1);
    CHECK(item.causes[0].unit == Unit::aic);
    CHECK(item.causes[0].core_id == 17);
    CHECK(item.causes[0].block_id == 4);
    payload.entries = {core_entry(AccType::aic, 57, 0, 17, 4)};
    const ScanItem clean = scan_item_of(scanned_dump(item_path, payload));
    CHECK(clean.state == DumpState::clean);
    CHECK(clean.causes.empty());
}

TEST_CASE("scan item: each cause knows its record's unit, core and block, and whether its task was located") {
    AcceleratorPayload payload;
    payload.entries = {core_entry(AccType::aic, 57, 0x20, 3, 0), core_entry(AccType::aiv, 58, 0x20, 5, 1),
                       core_entry(AccType::aiv, 58, 0x20, 6, 2), core_entry(AccType::aiv, 58, 0x20, 6, 2)};
    payload.entries[2].data[0] = 4;  // of another model; the last one is as the second except its core
    const ScanItem item = scan_item_of(scanned_dump(item_path, payload));
    REQUIRE(item.causes.size() == 4);
    const ScanCause& aic = item.causes[0];
    CHECK(aic.unit == Unit::aic);
    CHECK(aic.core_id == 3);
    CHECK_FALSE(aic.other_task);
    CHECK_FALSE(aic.other_model);
    const ScanCause& same_model = item.causes[1];
    CHECK(same_model.unit == Unit::aiv);
    CHECK(same_model.core_id == 5);
    CHECK(same_model.block_id == 1);
    CHECK(same_model.other_task);
    CHECK_FALSE(same_model.other_model);
    CHECK(item.causes[3].other_model);
    CHECK(cause_ids(item).size() == 1);  // AIC and AIV have their causes in common
}

TEST_CASE("scan item: records of a dump that agree in all count once") {
    AcceleratorPayload payload;
    payload.entries = {core_entry(AccType::aiv, 57, 0x20, 3, 0), core_entry(AccType::aiv, 57, 0x20, 3, 0),
                       core_entry(AccType::aiv, 57, 0x20, 3, 1)};
    CHECK(scan_item_of(scanned_dump(item_path, payload)).causes.size() == 2);
}

TEST_CASE("scan item: a dump that failed is placed by its name and folders") {
    const ScanItem item = scan_item_of(failed_dump(item_path, ErrorCode::empty_file, "the file is empty"));
    CHECK(item.state == DumpState::failed);
    CHECK(item.path_ids.data_index == 7);
    CHECK(item.timestamp_us == 1772618405000000);
    CHECK(item.causes.empty());
}

TEST_CASE("scan item: operator and model come from the location, the folder's model name stands in") {
    ScannedDump scanned = scanned_dump(item_path, 0x20);
    scanned.location.op.emplace();
    scanned.location.op->best.type = "Cast";
    scanned.location.op->best.kernel = "te_cast_1";
    CHECK(scan_item_of(scanned).operator_type == "Cast");
    CHECK(scan_item_of(scanned).operator_name == "te_cast_1");  // the kernel, for want of a node
    scanned.location.op->best.name = "net/cast";
    CHECK(scan_item_of(scanned).operator_name == "net/cast");
    scanned.location.model.emplace();
    scanned.location.model->ge_id = 11;
    CHECK(scan_item_of(scanned).model == "resnet");
    scanned.dump->path_ids.model_name.reset();
    CHECK(scan_item_of(scanned).model == "ge_id 11");
    scanned.location.model->name = "main_graph";
    CHECK(scan_item_of(scanned).model == "main_graph");
}

TEST_CASE("scan item: the time in the name that GE gives a graph without one does not keep ranks apart") {
    CHECK(model_in_groups("ge_default_20230911064048_1") == "ge_default_*_1");
    CHECK(model_in_groups("ge_default_20230911064051_12") == "ge_default_*_12");
    for (const char* name :
         {"ge_default", "ge_default_20230911064048", "ge_default_20230911064048_", "ge_default_2023091106404_1",
          "ge_default_202309110640480_1", "ge_default_20230911064048_a", "ge_default_20230911064048_1_2",
          "xge_default_20230911064048_1", "resnet_20230911064048_1", ""}) {
        CHECK(model_in_groups(name) == name);
    }
    const ScannedDump scanned = scanned_dump(
        "run/20230911064048/0/ge_default_20230911064048_1/1/0/Opdebug.Node_OpDebug.1.5.1694385648123457", 32);
    CHECK(scan_item_of(scanned).model == "ge_default_*_1");
    CHECK(scanned.dump->path_ids.model_name == std::optional<std::string>("ge_default_20230911064048_1"));
}

TEST_CASE("scan item: names of the states") {
    CHECK(to_string(DumpState::overflowed) == "overflowed");
    CHECK(to_string(DumpState::clean) == "clean");
    CHECK(to_string(DumpState::failed) == "failed");
}
