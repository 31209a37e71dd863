
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <opdebug/result.hpp>
#include "results/result_files.hpp"

#include "output/output.hpp"
#include "system/system.hpp"

namespace opdebug::tool {
namespace {

Error mapping_error(const std::string& path, const std::string& reason) {
    return write_error("the long name of a tensor is not noted: " + reason, path);
}

/// The readable first bytes of a list: a line in another part is added again.
std::string begin_of(int file) {
    std::string text(std::size_t{1} << 20U, '\0');
    std::size_t length = 0;
    while (length < Limits().mapping_bytes) {
        text.resize(std::max(text.size(), length + (std::size_t{64} << 10U)));
        const ssize_t count = uninterrupted(
            [&] { return ::pread(file, text.data() + length, text.size() - length, static_cast<off_t>(length)); });
        if (count <= 0) {
            break;
        }
        length += static_cast<std::size_t>(count);
    }
    text.resize(length);
    return text;
}

/// Whether added text would continue the last line of a file of that size.
bool ends_inside_line(int file, off_t size) {
    char last = '\0';
    return size != 0 && uninterrupted([&] { return ::pread(file, &last, 1, size - 1); }) == 1 && last != '\n';
}

/// Appends a line unless the list has it. A single write, because another program may append too.
std::optional<Error> add_line(int file, const std::string& path, const std::string& line) {
    struct stat status {};
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink > 1) {
        return mapping_error(path, "a pipe, a device or a file with further names (hard links) is there");
    }
    const bool is_inside_line = ends_inside_line(file, status.st_size);
    if (("\n" + begin_of(file)).find("\n" + line) != std::string::npos) {
        return std::nullopt;
    }
    const std::string text = (is_inside_line ? "\n" : "") + line;
    const ssize_t written = uninterrupted([&] { return ::write(file, text.data(), text.size()); });
    const int reason = errno;
    if (written == static_cast<ssize_t>(text.size())) {
        return std::nullopt;
    }
    // Without the incomplete line the next one starts on its own line.
    if (::ftruncate(file, status.st_size) == 0 && status.st_size == 0) {
        ::unlink(path.c_str());
    }
    return mapping_error(path, written < 0 ? std::strerror(reason) : "it was not written as a whole");
}

}  // namespace

std::optional<Error> NpyFiles::add_long_name(const std::string& folder, const std::string& line) const {
    const std::string path = (std::filesystem::path(folder) / "mapping.csv").string();
    if (inputs_.holds(path)) {
        return mapping_error(path, "the file belongs to the dumps");
    }
    constexpr int kFlags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    const int file = uninterrupted([&path] { return ::open(path.c_str(), kFlags, 0600); });
    if (file < 0) {
        return mapping_error(path, std::strerror(errno));
    }
    std::optional<Error> error = add_line(file, path, line);
    if (::close(file) != 0 && errno != EINTR && !error) {
        error = mapping_error(path, "it was not written as a whole");
    }
    return error;
}

namespace fs = std::filesystem;

std::optional<Error> NpyFiles::write_tensor(const std::string& file, const DumpedTensor& tensor,
                                            const std::string& name) const {
    const std::string path = (fs::path(folder_) / name).string();
    if (inputs_.holds(path)) {
        return write_error("not written, because it is one of the inputs", path);
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
