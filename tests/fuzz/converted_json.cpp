// Converted JSON instead of a dump.
#include "dump/converted.hpp"

#include "sound_dump.hpp"
#include "target.hpp"
#include "valid_output.hpp"

using namespace opdebug;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Result<Dump> dump =
        dump_stage::decode_converted(Bytes(data, size).text(), "Opdebug.Node_OpDebug.59.1694385648123456.output.0.json",
                                     *built_in_status_catalogue());
    if (dump) {
        fuzz::require_sound_dump(*dump);
    } else {
        fuzz::require_sound_error(dump.error(), size);
    }
    return 0;
}
