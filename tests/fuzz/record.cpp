// The payload of an output: a record of either kind, whole and cut.
#include "record/payload.hpp"

#include <opdebug/dump.hpp>

#include "sound_dump.hpp"
#include "target.hpp"
#include "valid_output.hpp"

using namespace opdebug;

namespace {

/// `declared_size`: what the header would state.
void decode_payload(Bytes payload, std::uint64_t declared_size) {
    Dump dump;
    dump.container = Container::dump_data_v2;
    auto decoded = record::decode_payload(payload, {0, declared_size}, *built_in_status_catalogue(), dump.diagnostics);
    if (decoded) {
        dump.records_missing = !decoded->complete;
        dump.payloads.push_back(std::move(*decoded));
        fuzz::require_sound_dump(dump);
    } else {
        fuzz::require_sound_error(decoded.error(), payload.size());
    }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const Bytes payload(data, size);
    decode_payload(payload, size);
    if (size < 2048) {
        decode_payload(payload, 2048);
    }
    return 0;
}
