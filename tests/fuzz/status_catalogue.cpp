// A status catalogue file of the user; one that is accepted must explain every status soundly.
#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>

#include "require.hpp"
#include "sound_dump.hpp"
#include "target.hpp"
#include "valid_output.hpp"

using namespace opdebug;

namespace {

constexpr Unit kUnits[] = {Unit::ai_core, Unit::dha_atomic, Unit::l2_atomic, Unit::aic,
                           Unit::aiv,     Unit::aicpu,      Unit::sdma};

void explain(const StatusCatalogue& catalogue, Unit unit, const std::vector<std::uint64_t>& words) {
    const Result<StatusExplanation> status = decode_status(catalogue, unit, words);
    fuzz::require(status.ok(), "a status of one or four words can be explained");
    fuzz::require_sound_status(*status);
    fuzz::require_valid_document("status", status_to_json({*status}));
    fuzz::require_safe_text(status_to_text(*status, {Language::chinese}));
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto catalogue = load_status_catalogue({{"fuzz.json", std::string(Bytes(data, size).text())}});
    if (!catalogue) {
        fuzz::require_refused_as(ErrorCode::catalogue_invalid, catalogue.error());
        fuzz::require_sound_error(catalogue.error(), size);
        return 0;
    }
    for (const Unit unit : kUnits) {
        for (const std::uint64_t word :
             {std::uint64_t{0}, std::uint64_t{0x120}, std::uint64_t{0x8700}, ~std::uint64_t{0}}) {
            explain(**catalogue, unit, {word});
        }
        if (unit == Unit::aic || unit == Unit::aiv) {  // the others have one word
            explain(**catalogue, unit, {0x20, 0, 1, 2});
        }
    }
    return 0;
}
