// The public functions that read an API dump.
#include <opdebug/api_dump.hpp>

#include <fmt/format.h>

#include <opdebug/bytes.hpp>
#include <opdebug/tree.hpp>

#include "api_dump/dump_form.hpp"
#include "api_dump/dump_place.hpp"
#include "api_dump/msprobe_file.hpp"
#include "api_dump/ptdbg_file.hpp"
#include "api_dump/read_as.hpp"
#include "api_dump/statistic_csv.hpp"
#include "bytes/file.hpp"
#include "bytes/packed_form.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

constexpr std::size_t kStart = std::size_t{16} << 10U;

std::optional<ApiSource> source_in(const bytes::FileStart& start, std::string_view name) {
    const std::string_view text = Bytes(start.bytes).text();
    return api_dump::form_of(text, start.file_size <= text.size(), name);
}

Result<std::optional<ApiSource>> source_of(const std::string& path, std::string_view name) {
    const Result<bytes::FileStart> start = bytes::read_file_start(path, kStart);
    if (!start) {
        return start.error();
    }
    return source_in(*start, name);
}

Result<ApiFile> refused(const bytes::FileStart& start, const std::string& path) {
    if (api_dump::is_pickle(Bytes(start.bytes).text())) {
        return Error{ErrorCode::pickle_refused,
                     "this is a binary pickle, which runs what its writer wants when it is read; the dumps of "
                     "ptdbg_ascend are text",
                     path, 0};
    }
    if (const auto packing = bytes::packing_name(Bytes(start.bytes).text())) {
        return Error{ErrorCode::api_dump_invalid,
                     fmt::format("this is {}, which is not read: unpack it, and give the folder that it holds or the "
                                 "dump itself",
                                 *packing),
                     path, std::nullopt};
    }
    return Error{ErrorCode::api_dump_invalid,
                 "this is no dump of API calls: a dump.json of msprobe, a .pkl text of ptdbg_ascend or a statistic.csv "
                 "was expected",
                 path, std::nullopt};
}

}  // namespace

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

Result<std::optional<ApiSource>> api_source_of(const std::string& path) {
    return source_of(path, file_name_of(path));
}

Result<ApiFile> read_api_dump(const std::string& path, const ApiReadOptions& options,
                              const std::function<void(ApiEntry&&)>& use) {
    const Result<bytes::FileStart> start = bytes::read_file_start(path, kStart);
    if (!start) {
        return start.error();
    }
    const std::optional<ApiSource> source = source_in(*start, file_name_of(path));
    if (!source) {
        return refused(*start, path);
    }
    return api_dump::read_as(*source, path, options, use);
}

}  // namespace v0

Result<std::optional<ApiSource>> api_dump::source_by_content(const std::string& path) {
    return source_of(path, {});
}

Result<ApiFile> api_dump::read_as(ApiSource source, const std::string& path, const ApiReadOptions& options,
                                  const std::function<void(ApiEntry&&)>& use) {
    Result<ApiFile> file = source == ApiSource::msprobe ? read_msprobe_file(path, options, use)
                           : source == ApiSource::ptdbg ? read_ptdbg_file(path, options, use)
                                                        : read_statistic_csv(path, options, use);
    if (file) {
        read_place(path, *file);
    }
    return file;
}

}  // namespace opdebug
