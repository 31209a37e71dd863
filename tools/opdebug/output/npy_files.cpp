#include "output/npy_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <opdebug/result_files.hpp>

#include "output/output.hpp"
#include "system/interrupt.hpp"
#include "system/uninterrupted.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

Error mapping_error(const std::string& path, const std::string& reason) {
    return {ErrorCode::write_failed, "the long name of a tensor is not noted: " + reason, path, std::nullopt};
}

/// Takes back what was written of a line, and the file if it has nothing else: the next line shall begin a line.
void take_back(int file, const std::string& path, const struct stat& before) {
    struct stat now {};
    if (::ftruncate(file, before.st_size) == 0 && ::fstat(file, &now) == 0 && now.st_size == 0) {
        ::unlink(path.c_str());
    }
}

/// Adds one line in one write, never through a link of either kind. Repeated lines are normal in such files.
std::optional<Error> add_to_mapping(const std::string& path, const std::string& line, const InputFiles& inputs) {
    if (inputs.holds(path)) {
        return mapping_error(path, "the file belongs to the dumps");
    }
    constexpr int kFlags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    const int file = uninterrupted([&path] { return ::open(path.c_str(), kFlags, 0600); });
    if (file < 0) {
        return mapping_error(path, std::strerror(errno));
    }
    struct stat status {};
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink > 1) {
        ::close(file);
        return mapping_error(path, "a pipe, a device or a file with further names (hard links) is there");
    }
    const ssize_t written = uninterrupted([&] { return ::write(file, line.data(), line.size()); });
    const int reason = errno;
    if (written != static_cast<ssize_t>(line.size())) {
        take_back(file, path, status);
    }
    const bool closed = ::close(file) == 0 || errno == EINTR;
    if (written != static_cast<ssize_t>(line.size()) || !closed) {
        return mapping_error(path, written < 0 ? std::strerror(reason) : "it was not written as a whole");
    }
    return std::nullopt;
}

}  // namespace

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

WrittenTensors NpyFiles::write(const OpDump& dump, const std::string& subfolder) const {
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
        std::optional<Error> error = write_tensor(dump.file, tensor, name);
        if (!error) {
            written.names[i] = name;
            error = mapping_line.empty() ? std::nullopt
                                         : add_to_mapping((folder / "mapping.csv").string(), mapping_line, inputs_);
        }
        if (error) {
            written.failures.push_back(std::move(*error));
        }
    }
    return written;
}

}  // namespace opdebug::tool
