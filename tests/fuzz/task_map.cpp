// A saved task map, or what its compressed parts contain.
#include <opdebug/logs.hpp>

#include "logs/saved_map/map_tables.hpp"
#include "logs/saved_map/saved_map.hpp"
#include "require.hpp"
#include "sound_map.hpp"
#include "target.hpp"
#include "valid_output.hpp"

using namespace opdebug;

namespace {

void read_whole_map(Bytes bytes) {
    const auto map = fuzz::read_map(std::string(bytes.text()));
    if (map) {
        fuzz::require_sound_map(*map);
    } else {
        fuzz::require(map.error().code == ErrorCode::task_map_invalid, "a refused map is called invalid");
        fuzz::require_sound_error(map.error(), bytes.size());
    }
}

void read_parts(Bytes bytes) {
    if (const auto tables = logs::read_tables(std::string(bytes.text()), bytes.size())) {
        const std::string written = logs::write_tables(*tables);
        const auto again = logs::read_tables(written, bytes.size());
        fuzz::require(again && logs::write_tables(*again) == written, "tables that were read can be written");
    }
    std::vector<logs::LineNumber> lines;
    logs::find_lines(bytes.text(), {{0, 0}, {7, 57}, {9, 12}}, lines);
    fuzz::require(lines.size() <= bytes.size(), "a page holds no more lines than bytes");
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes(data, size);
    if (logs::is_map_file(bytes)) {
        read_whole_map(bytes);
    } else {
        read_parts(bytes);
    }
    return 0;
}
