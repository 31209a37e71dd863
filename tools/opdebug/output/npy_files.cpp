#include "output/npy_files.hpp"

#include <filesystem>

#include <opdebug/result_files.hpp>

#include "output/output.hpp"
#include "system/interrupt.hpp"

namespace opdebug::tool {

namespace fs = std::filesystem;

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
    return error ? error : output.finish();  // what is not finished is taken away
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
            error = mapping_line.empty() ? std::nullopt : long_names_.add(folder.string(), mapping_line);
        }
        if (error) {
            written.failures.push_back(std::move(*error));
        }
    }
    return written;
}

}  // namespace opdebug::tool
