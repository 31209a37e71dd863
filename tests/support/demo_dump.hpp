// The overflow dump of the demonstration in testdata/demo, field by field.
#pragma once

#include "dump_builder.hpp"

namespace opdebug::test {

/// Its location below the source folder. 1791769287318452 is 2026-10-12 01:41:27.318452 UTC.
constexpr const char* demo_dump_path =
    "testdata/demo/20261012093000/0/bert_train/3/12/Opdebug.Node_OpDebug.118.21.1791769287318452";

/// An AI Core overflow of runtime model 3, stream 21, task 118: a float overflow (0x20) and one of a conversion to
/// float16 (0x100).
inline Buffer demo_dump() {
    LegacyPayload payload;
    payload.ai_core = {3, 21, 118, 0, 0x1240c0182000, 0x1240c1004000, 0x120};
    payload.kernel_code = 0x1240c0180000;
    payload.block_idx = 5;
    DumpFile dump = overflow_dump(build_payload(payload), Era::now);
    dump.dump_time = 1791769287318452;
    return build_v2(dump);
}

}  // namespace opdebug::test
