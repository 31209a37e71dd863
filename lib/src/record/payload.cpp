#include "record/payload.hpp"

#include <fmt/format.h>

#include "bytes/little_endian.hpp"
#include "record/accelerator.hpp"
#include "record/layout.hpp"
#include "record/legacy.hpp"

namespace opdebug::record {
namespace {

/// A payload without the magic whose other numbers are those of an accelerator header. In a legacy record the place of
/// data_len is the upper half of the DHA task id, which a 16-bit id never fills.
bool is_shaped_like_accelerator(Bytes payload) noexcept {
    const auto valid = bytes::read_u32(payload, 8);
    const auto acc_type = bytes::read_u32(payload, 12);
    const auto data_len = bytes::read_u32(payload, 20);
    if (!data_len || *valid > 1) {
        return false;
    }
    const AcceleratorLayout* layout = layout_of(*acc_type);
    return layout != nullptr && (*data_len == data_length(*layout, 0) || *data_len == data_length(*layout, 1));
}

}  // namespace

Result<DecodedPayload> decode_payload(Bytes payload, const PayloadPlace& place, const StatusCatalogue& catalogue,
                                      std::vector<Diagnostic>& diagnostics) {
    if (bytes::read_u32(payload, 0) == kAcceleratorMagic) {
        return decode_accelerator(payload, place, catalogue, diagnostics);
    }
    if (is_shaped_like_accelerator(payload)) {
        return Error{ErrorCode::magic_damaged,
                     fmt::format("the payload looks like an accelerator record whose magic is damaged: {:#010x} was "
                                 "expected, {:#010x} found; "
                                 "it is not read as a legacy record",
                                 kAcceleratorMagic, *bytes::read_u32(payload, 0)),
                     {},
                     place.file_offset};
    }
    if (place.declared_size > kLegacySize) {
        return Error{
            ErrorCode::payload_size,
            fmt::format("the payload has {} bytes and no accelerator magic: a legacy record of {} bytes was expected",
                        place.declared_size, kLegacySize),
            {},
            place.file_offset};
    }
    return decode_legacy(payload, place, catalogue, diagnostics);
}

}  // namespace opdebug::record
