// A saved task map, as its bytes and in clear (map_in_clear.hpp).
#include <opdebug/task_map.hpp>

#include "logs/map_file/map_file.hpp"
#include "map_in_clear.hpp"
#include "require.hpp"
#include "sound_map.hpp"
#include "target.hpp"
#include "valid_output.hpp"

using namespace opdebug;

namespace {

void read_map(Bytes bytes) {
    Result<TaskMap::Contents> contents = logs::read_map_bytes(bytes, std::nullopt);
    if (contents) {
        const auto map =
            std::make_shared<const TaskMap>(std::make_unique<const TaskMap::Contents>(std::move(*contents)));
        fuzz::require_sound_map(map);
        fuzz::require_same_when_saved_again(map);
    } else {
        fuzz::require(contents.error().code == ErrorCode::task_map_invalid, "a refused map is called invalid");
        fuzz::require_sound_error(contents.error(), bytes.size());
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes(data, size);
    if (logs::is_map_file(bytes)) {
        read_map(bytes);
    } else {
        const std::string packed = fuzz::packed_map(bytes);
        read_map(Bytes(std::string_view(packed)));
    }
    return 0;
}
