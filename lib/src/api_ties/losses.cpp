#include "api_ties/losses.hpp"

#include <string_view>

#include "api_dump/dump_location.hpp"

namespace opdebug::api_ties {

Losses::Losses(const ApiReport& report) : any_(!report.complete), everywhere_(!report.complete) {
    for (const Error& failure : report.failures) {
        add(failure.file);
    }
    for (const Diagnostic& told : report.diagnostics) {
        // Of which run an overflow is, nothing says: a call of another one may lack its own.
        everywhere_ = everywhere_ || told.code == std::string_view("several_runs");
        const std::string_view code = told.code;
        if (told.severity == Severity::error || code == "findings_left_out" || code == "collection_failed") {
            add(told.message.substr(0, told.message.find(": ")));  // remarks on a file begin with its name
        }
    }
}

void Losses::add(const std::string& path) {
    ApiFile place;
    api_dump::read_place(path, place);
    any_ = true;
    if (place.rank) {
        ranks_.insert(*place.rank);
    } else {
        everywhere_ = true;
    }
}

bool Losses::has_of(const std::optional<std::uint64_t>& rank) const {
    return everywhere_ || (rank ? ranks_.count(*rank) != 0 : any_);
}

}  // namespace opdebug::api_ties
