#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <system_error>

#include <opdebug/result.hpp>

#include "output/output.hpp"
#include "results/result_files.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

Error mapping_error(const std::string& path, const std::string& reason) {
    return {ErrorCode::write_failed, "the long name of a tensor is not noted: " + reason, path, std::nullopt};
}

}  // namespace

std::optional<Error> NpyFiles::add_long_name(const std::string& folder, const std::string& line) const {
    const std::string path = (fs::path(folder) / "mapping.csv").string();
    if (inputs_.holds(path)) {
        return mapping_error(path, "the file belongs to the dumps");
    }
    std::error_code absent;
    const fs::file_type type = fs::symlink_status(path, absent).type();
    const bool is_there = type != fs::file_type::not_found;
    if (is_there && (type != fs::file_type::regular || fs::hard_link_count(path, absent) > 1)) {
        return mapping_error(path, "a pipe, a device or a file with further names (hard links) is there");
    }
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (("\n" + text).find("\n" + line) != std::string::npos) {
        return std::nullopt;
    }
    text += text.empty() || text.ends_with('\n') ? "" : "\n";
    // A given name keeps the mode of the file.
    const auto error = write_file(path, text + line, is_there ? FileName::given : FileName::generated);
    return error ? std::optional(mapping_error(path, error->message)) : std::nullopt;
}

std::optional<Error> NpyFiles::write_tensor(const std::string& file, const DumpedTensor& tensor,
                                            const std::string& name) const {
    const std::string path = (fs::path(folder_) / name).string();
    if (inputs_.holds(path)) {
        return Error{ErrorCode::write_failed, "not written, because it is one of the inputs", path, std::nullopt};
    }
    Output output(path, FileName::generated);
    std::optional<Error> error =
        write_npy(file, tensor, [&output](Bytes piece) { return !interrupted() && output.write(piece.text()); });
    if (!error && interrupted()) {
        error = Error{ErrorCode::interrupted, "not written: the command was stopped", path, std::nullopt};
    }
    return error ? error : output.finish();  // removes an incomplete file
}

WrittenTensors NpyFiles::write(const OpDump& dump, const std::string& subfolder) {
    WrittenTensors written;
    written.names.resize(dump.tensors.size());
    const fs::path folder = fs::path(folder_) / subfolder;
    if (auto error = make_folder_below(folder_, subfolder)) {
        written.failures.push_back(std::move(*error));
        return written;
    }
    for (std::size_t i = 0; i < dump.tensors.size(); ++i) {
        const DumpedTensor& tensor = dump.tensors[i];
        if (!tensor.statistics) {
            continue;
        }
        const auto [file_name, mapping_line] = npy_name(dump.file, tensor.kind, tensor.index);
        const std::string name = (fs::path(subfolder) / file_name).string();
        std::optional<Error> error = write_tensor(tensor.file, tensor, name);
        if (!error) {
            written.names[i] = name;
            error = mapping_line.empty() ? std::nullopt : add_long_name(folder.string(), mapping_line);
        }
        if (error) {
            written.failures.push_back(std::move(*error));
        }
    }
    return written;
}

}  // namespace opdebug::tool
