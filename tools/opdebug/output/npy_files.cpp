// Files of single tensors, and the list of the names that are too long for a file system.
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include <opdebug/result.hpp>

#include "bytes/file.hpp"
#include "results/result_files.hpp"

#include "output/output.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

std::optional<Error> refuse_input(const std::string& path, const InputFiles& inputs) {
    return inputs.holds(path) ? std::optional(write_error("not written, because it is one of the inputs", path))
                              : std::nullopt;
}

/// Adds a line, with its line break, to the mapping.csv of the folder unless it has the line.
std::optional<Error> add_long_name(const std::string& folder, const std::string& line, const InputFiles& inputs) {
    const std::string path = (fs::path(folder) / "mapping.csv").string();
    if (auto refused = refuse_input(path, inputs)) {
        return refused;
    }
    const Result<std::vector<std::uint8_t>> before = bytes::read_file(path, Limits());
    if (!before && before.error().code != ErrorCode::file_not_found) {
        return before.error();
    }
    std::string list = before ? std::string(Bytes(*before).text()) : std::string();
    list += list.empty() || list.back() == '\n' ? "" : "\n";
    return ("\n" + list).find("\n" + line) == std::string::npos ? write_file(path, list + line) : std::nullopt;
}

std::optional<Error> write_tensor(const DumpedTensor& tensor, const std::string& path, const InputFiles& inputs) {
    if (auto refused = refuse_input(path, inputs)) {
        return refused;
    }
    Output output(path);
    std::optional<Error> error =
        write_npy(tensor.file, tensor, [&output](Bytes piece) { return !interrupted() && output.write(piece.text()); });
    if (!error && interrupted()) {
        error = Error{ErrorCode::interrupted, "not written: the command was stopped", path, std::nullopt};
    }
    return error ? error : output.finish();  // removes an incomplete file
}

}  // namespace

WrittenTensors write_npy_files(const OpDump& dump, const std::string& folder, const std::string& subfolder,
                               const InputFiles& inputs) {
    WrittenTensors written;
    written.names.resize(dump.tensors.size());
    const std::string place = (fs::path(folder) / subfolder).string();
    if (auto error = make_folder(place)) {
        written.failures.push_back(std::move(*error));
        return written;
    }
    for (std::size_t i = 0; i < dump.tensors.size(); ++i) {
        const DumpedTensor& tensor = dump.tensors[i];
        if (!tensor.statistics) {
            continue;
        }
        const auto [name, mapping_line] = npy_name(dump.file, tensor.kind, tensor.index);
        std::optional<Error> error = write_tensor(tensor, (fs::path(place) / name).string(), inputs);
        if (!error) {
            written.names[i] = (fs::path(subfolder) / name).string();
            error = mapping_line.empty() ? std::nullopt : add_long_name(place, mapping_line, inputs);
        }
        if (error) {
            written.failures.push_back(std::move(*error));
        }
    }
    return written;
}

}  // namespace opdebug::tool
