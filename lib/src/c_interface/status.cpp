// One status → its explanation.
#include <opdebug/status.hpp>

#include <fmt/format.h>

#include "c_interface/decoding.hpp"
#include "c_interface/error.hpp"
#include "c_interface/options.hpp"
#include "report/json_text.hpp"

namespace opdebug::c_interface {
namespace {

Result<std::string> explanation_of(const char* unit_name, const std::uint64_t* words, std::size_t count,
                                   const char* options_text) {
    if (unit_name == nullptr || words == nullptr) {
        return null_argument(unit_name == nullptr ? "unit" : "words");
    }
    const std::optional<Unit> unit = unit_from_key(unit_name);
    if (!unit) {
        return Error{ErrorCode::invalid_argument,
                     fmt::format("'{}' is not a unit: ai-core, dha-atomic, l2-atomic, aic, aiv, aicpu or sdma was "
                                 "expected",
                                 unit_name),
                     {},
                     {}};
    }
    const Result<Options> options = read_options(options_text, explaining_status);
    if (!options) {
        return options.error();
    }
    const auto catalogue = catalogue_of(*options);
    if (!catalogue) {
        return catalogue.error();
    }
    const auto explanation = decode_status(*catalogue ? **catalogue : *built_in_status_catalogue(), *unit,
                                           std::vector<std::uint64_t>(words, words + count));
    return explanation ? Result<std::string>(report::write(report::explanation_to_json(*explanation, options->language),
                                                           report_of(*options)))
                       : explanation.error();
}

}  // namespace
}  // namespace opdebug::c_interface

char* opdebug_decode_status(const char* unit, const uint64_t* words, size_t count, const char* options,
                            opdebug_error** error) {
    using namespace opdebug::c_interface;
    return guarded_text(error, [&] { return explanation_of(unit, words, count, options); });
}
