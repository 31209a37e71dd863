// A whole dump file: any container, with any payload.
#include <opdebug/dump.hpp>

#include "byte_ranges.hpp"
#include "container/container.hpp"
#include "sound_dump.hpp"
#include "target.hpp"
#include "valid_output.hpp"

using namespace opdebug;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes bytes(data, size);
    const auto contents = container::read_container(bytes, size);
    if (contents) {
        fuzz::require_sound_ranges(*contents, size);
    } else {
        fuzz::require_sound_error(contents.error(), size);
    }
    DecodeOptions options;
    options.file = "rank_0/20260304100000/0/Opdebug.Node_OpDebug.59.2.1694385648123456";
    const Result<Dump> dump = decode(bytes, options);
    if (dump) {
        fuzz::require_sound_dump(*dump);
    } else {
        fuzz::require_sound_error(dump.error(), size);
    }
    return 0;
}
