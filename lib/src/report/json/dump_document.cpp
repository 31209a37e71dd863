#include "report/json/dump_document.hpp"

#include "report/json/json_record.hpp"

namespace opdebug::report {

Error failure_of(const ScannedDump& scanned) {
    Error failure = scanned.failure.value_or(
        Error{ErrorCode::record_truncated, "records of this dump are missing", scanned.file, std::nullopt});
    failure.file = scanned.file;
    return failure;
}

void write_document(const ScannedDump& scanned, const ReportOptions& options, JsonWriter& json) {
    if (scanned.dump) {
        write_record_document(*scanned.dump, scanned.location, scanned.tensors, options, json);
    } else {
        write_failure_document(failure_of(scanned), options, json);
    }
}

}  // namespace opdebug::report
