// One status → its explanation.
#include <opdebug/status.hpp>

#include <fmt/format.h>

#include "c_interface/decoding.hpp"
#include "c_interface/error.hpp"
#include "c_interface/shown.hpp"
#include "report/json/json_parts.hpp"
#include "status/unit.hpp"

namespace opdebug::c_interface {
namespace {

Error wrong_argument(std::string message) {
    return {ErrorCode::invalid_argument, std::move(message), {}, {}};
}

/// Nothing is read of the caller's words while their number is in doubt.
Result<std::string> explanation_of(const char* unit_name, const std::uint64_t* words, std::size_t count,
                                   const char* options_text) {
    if (unit_name == nullptr || words == nullptr) {
        return null_argument(unit_name == nullptr ? "unit" : "words");
    }
    const std::optional<Unit> unit = unit_from_key(unit_name);
    if (!unit) {
        return wrong_argument(
            fmt::format("'{}' is not a unit: {} was expected", shown(unit_name), status::unit_keys()));
    }
    if (count != 1 && count != 4) {
        return wrong_argument(
            fmt::format("count is {}; 1 value, or the 4 of an accelerator record of version 1, was expected", count));
    }
    const Result<Decoding> decoding = read_decoding(options_text, explaining_status);
    if (!decoding) {
        return decoding.error();
    }
    const auto& catalogue = decoding->decode.catalogue;
    const auto explanation = decode_status(catalogue ? *catalogue : *built_in_status_catalogue(), *unit,
                                           std::vector<std::uint64_t>(words, words + count));
    return explanation ? Result<std::string>(report::explanation_to_json(*explanation, report_of(decoding->options)))
                       : explanation.error();
}

}  // namespace
}  // namespace opdebug::c_interface

char* opdebug_decode_status(const char* unit, const uint64_t* words, size_t count, const char* options,
                            opdebug_error** error) {
    using namespace opdebug::c_interface;
    return guarded_text(error, [&] { return explanation_of(unit, words, count, options); });
}
