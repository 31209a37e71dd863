#include "report/json/json_failure.hpp"

namespace opdebug::report {

void write_failure(const std::string& file, std::string_view code, const std::string& message, JsonWriter& json) {
    json.begin_object();
    json.member("file", file);
    json.member("code", code);
    json.member("message", message);
    json.end_object();
}

void write_failure(const Error& error, JsonWriter& json) {
    Error place = error;
    place.file.clear();  // it stands beside the message
    write_failure(error.file, to_string(error.code), to_string(place), json);
}

}  // namespace opdebug::report
