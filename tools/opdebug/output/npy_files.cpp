#include "output/npy_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <boost/uuid/name_generator_md5.hpp>
#include <boost/uuid/uuid_io.hpp>

#include <opdebug/report.hpp>
#include <opdebug/tree.hpp>

#include "output/output.hpp"
#include "system/interrupt.hpp"
#include "system/uninterrupted.hpp"

namespace opdebug::tool {
namespace {

namespace fs = std::filesystem;

/// From here on msaccucmp shortens a name; file systems take up to 255 bytes.
constexpr std::size_t kLongName = 255;

/// The name that msaccucmp gives a file whose own is too long: the version-3 UUID of it (RFC 4122), without dashes.
std::string short_name(const std::string& name) {
    std::string digits = boost::uuids::to_string(boost::uuids::name_generator_md5(boost::uuids::ns::dns())(name));
    digits.erase(std::remove(digits.begin(), digits.end(), '-'), digits.end());
    return digits + ".npy";
}

Error mapping_error(const std::string& path, const std::string& reason) {
    return {ErrorCode::write_failed, "the long name of a tensor is not noted: " + reason, path, std::nullopt};
}

/// A line break in a name would begin a line of its own, which tells of another file.
std::string mapping_line(std::string_view file, const std::string& full_name) {
    const bool one_line = full_name.find_first_of("\r\n") == std::string::npos;
    return fmt::format("{},{}\n", file, one_line ? full_name : printable(full_name));
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
        const std::string full_name =
            fmt::format("{}.{}.{}.npy", file_name_of(dump.file), to_string(tensor.kind), tensor.index);
        const bool is_long = full_name.size() >= kLongName;
        const std::string name = (fs::path(subfolder) / (is_long ? short_name(full_name) : full_name)).string();
        std::optional<Error> error = write_tensor(dump.file, tensor, name);
        if (!error) {
            written.names[i] = name;
            error = is_long ? add_to_mapping((folder / "mapping.csv").string(),
                                             mapping_line(file_name_of(name), full_name), inputs_)
                            : std::nullopt;
        }
        if (error) {
            written.failures.push_back(std::move(*error));
        }
    }
    return written;
}

}  // namespace opdebug::tool
