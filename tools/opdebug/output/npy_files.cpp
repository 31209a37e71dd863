#include "output/npy_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>

#include <opdebug/result.hpp>
#include "results/result_files.hpp"

#include "output/output.hpp"
#include "system/interrupt.hpp"

namespace opdebug::tool {
namespace {

Error mapping_error(const std::string& path, const std::string& reason) {
    return {ErrorCode::write_failed, "the long name of a tensor is not noted: " + reason, path, std::nullopt};
}

/// Removes an incomplete line, and the file if it is otherwise empty, so the next line starts on its own line.
void take_back(int file, const std::string& path, const struct stat& before) {
    struct stat now {};
    if (::ftruncate(file, before.st_size) == 0 && ::fstat(file, &now) == 0 && now.st_size == 0) {
        ::unlink(path.c_str());
    }
}

/// The readable first bytes of a file. Lines in an unreadable part are added again.
std::string text_of(int file, std::size_t most) {
    std::string text;
    std::string piece(std::size_t{64} << 10U, '\0');
    while (text.size() < most) {
        const ssize_t count =
            uninterrupted([&] { return ::pread(file, piece.data(), piece.size(), static_cast<off_t>(text.size())); });
        if (count <= 0) {
            break;
        }
        text.append(piece, 0, static_cast<std::size_t>(count));
    }
    return text;
}

/// Whether the file ends with a line break. If the last byte is unreadable, returns false: an empty line is harmless,
/// but a line appended to half of another is lost.
bool ends_whole(int file, off_t size) {
    char last = '\0';
    return size == 0 || (uninterrupted([&] { return ::pread(file, &last, 1, size - 1); }) == 1 && last == '\n');
}

}  // namespace

/// Reads only the beginning of a list over the limit, like all readers of such lists.
NameLists::List NameLists::read(int file, std::int64_t size) {
    List list;
    const std::string text = text_of(file, Limits().mapping_bytes);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        list.lines.insert(line + "\n");
    }
    list.ends_whole = ends_whole(file, size);
    return list;
}

/// A single write, because another program may append too.
std::optional<Error> NameLists::add_to(int file, const std::string& path, const std::string& line) {
    struct stat status {};
    if (::fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink > 1) {
        return mapping_error(path, "a pipe, a device or a file with further names (hard links) is there");
    }
    auto known = lists_.find(path);
    if (known == lists_.end()) {
        known = lists_.emplace(path, read(file, status.st_size)).first;
    }
    List& list = known->second;
    if (list.lines.count(line) != 0) {
        return std::nullopt;
    }
    const std::string text = (list.ends_whole ? "" : "\n") + line;
    const ssize_t written = uninterrupted([&] { return ::write(file, text.data(), text.size()); });
    const int reason = errno;
    if (written != static_cast<ssize_t>(text.size())) {
        take_back(file, path, status);
        return mapping_error(path, written < 0 ? std::strerror(reason) : "it was not written as a whole");
    }
    list.lines.insert(line);
    list.ends_whole = true;
    return std::nullopt;
}

std::optional<Error> NameLists::add(const std::string& folder, const std::string& line) {
    const std::string path = (std::filesystem::path(folder) / "mapping.csv").string();
    if (inputs_.holds(path)) {
        return mapping_error(path, "the file belongs to the dumps");
    }
    constexpr int kFlags = O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    const int file = uninterrupted([&path] { return ::open(path.c_str(), kFlags, 0600); });
    if (file < 0) {
        return mapping_error(path, std::strerror(errno));
    }
    std::optional<Error> error = add_to(file, path, line);
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
            error = mapping_line.empty() ? std::nullopt : long_names_.add(folder.string(), mapping_line);
        }
        if (error) {
            written.failures.push_back(std::move(*error));
        }
    }
    return written;
}

}  // namespace opdebug::tool
