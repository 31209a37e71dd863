// The public functions that read an API dump.
#include <opdebug/api_dump.hpp>

#include <utility>

#include "api_dump/dump_place.hpp"
#include "api_dump/msprobe_file.hpp"

namespace opdebug {
inline namespace v0 {

std::string_view to_string(ApiSource source) noexcept {
    switch (source) {
        case ApiSource::msprobe: return "msprobe";
        case ApiSource::ptdbg: return "ptdbg";
        case ApiSource::statistic_csv: return "statistic_csv";
    }
    return "unknown";
}

std::string_view to_string(ApiValueKind kind) noexcept {
    switch (kind) {
        case ApiValueKind::input: return "input";
        case ApiValueKind::keyword: return "kwargs";
        case ApiValueKind::parameter: return "parameters";
        case ApiValueKind::output: return "output";
    }
    return "unknown";
}

Result<ApiFile> read_api_dump(const std::string& path, const ApiReadOptions& options,
                              const std::function<void(ApiEntry&&)>& use) {
    Result<ApiFile> file = api_dump::read_msprobe_file(path, options, use);
    if (file) {
        api_dump::read_place(path, *file);
    }
    return file;
}

}  // namespace v0
}  // namespace opdebug
