// Names of files that are written, as the official converter gives them.
#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <boost/uuid/name_generator_md5.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <opdebug/report.hpp>
#include <opdebug/result_files.hpp>
#include <opdebug/tree.hpp>

#include "tree/operator_file_name.hpp"

namespace opdebug {
inline namespace v0 {
namespace {

/// From here on msaccucmp shortens a name; file systems take up to 255 bytes.
constexpr std::size_t kLongName = 255;

std::string short_name(const std::string& name) {
    std::string digits = boost::uuids::to_string(boost::uuids::name_generator_md5(boost::uuids::ns::dns())(name));
    digits.erase(std::remove(digits.begin(), digits.end(), '-'), digits.end());
    return digits + ".npy";
}

/// A line break in a name would begin a line of its own, which tells of another file.
std::string mapping_line(const std::string& name, const std::string& full_name) {
    const bool one_line = full_name.find_first_of("\r\n") == std::string::npos;
    return fmt::format("{},{}\n", name, one_line ? full_name : printable(full_name));
}

}  // namespace

std::string converted_name(std::string_view dump_file, std::uint64_t output_index) {
    return fmt::format("{}.output.{}.json", file_name_of(dump_file), output_index);
}

NpyName npy_name(std::string_view dump_file, TensorKind kind, std::uint64_t index) {
    const std::string_view file_name = file_name_of(dump_file);
    const std::optional<tree::TensorFileName> tensor = tree::parse_tensor_file_name(file_name);
    std::string full_name = fmt::format("{}.{}.{}.npy", tensor ? tensor->dump_name : file_name, to_string(kind), index);
    if (full_name.size() < kLongName) {
        return {std::move(full_name), ""};
    }
    std::string name = short_name(full_name);
    std::string line = mapping_line(name, full_name);
    return {std::move(name), std::move(line)};
}

}  // namespace v0
}  // namespace opdebug
