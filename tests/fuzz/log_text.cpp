// Lines of a log, all as the log of one run.
#include "logs/builder.hpp"

#include <opdebug/bytes.hpp>

#include "logs/formats.hpp"
#include "logs/matched_lines.hpp"
#include "sound_map.hpp"
#include "target.hpp"

using namespace opdebug;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    logs::TaskMapBuilder builder;
    builder.begin_file("debug/plog/plog-5100_20260304100000000.log");
    builder.add(logs::match_lines(Bytes(data, size).text(), 1, *logs::built_in_log_formats()));
    fuzz::require_sound_map(builder.finish());
    return 0;
}
