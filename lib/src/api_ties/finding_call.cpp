#include "api_ties/finding_call.hpp"

#include "api_culprits/known_apis.hpp"
#include "api_dump/call_name.hpp"

namespace opdebug::api_ties {

FindingCall call_of(const ApiFinding& finding) {
    FindingCall call;
    if (finding.source == ApiSource::statistic_csv) {
        call.is_kernel = true;
        call.function = finding.operator_type;
        return call;
    }
    ApiEntry entry;
    entry.name = finding.api;
    if (finding.source == ApiSource::ptdbg) {
        api_dump::read_ptdbg_name(entry);
    } else {
        api_dump::read_call_name(entry);
    }
    call.function = api_culprits::function_of(entry.api);
    call.is_backward = entry.phase == ApiPhase::backward || entry.phase == ApiPhase::parameters_grad;
    call.is_module = entry.is_module;
    call.count = entry.count;
    return call;
}

}  // namespace opdebug::api_ties
