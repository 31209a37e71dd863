#include "watch/network_file_system.hpp"

#include <sys/vfs.h>

namespace opdebug::watch {
namespace {

struct FileSystem {
    std::uint32_t magic;
    std::string_view name;
};

/// Numbers of linux/magic.h and statfs(2), and of the file systems' own sources (GPFS "GPFS", Lustre, BeeGFS, PanFS).
/// FUSE stands for many network file systems (sshfs, GlusterFS, JuiceFS, s3fs) and some local ones.
constexpr FileSystem kFileSystems[] = {
    {0x6969, "nfs"},        {0x0BD00BD0, "lustre"}, {0x47504653, "gpfs"},   {0x00C36400, "cephfs"},
    {0x65735546, "fuse"},   {0x01021997, "9p"},     {0x517B, "smb"},        {0xFF534D42, "cifs"},
    {0xFE534D42, "smb2"},   {0x5346414F, "afs"},    {0x19830326, "beegfs"}, {0xAAD7AAEA, "panfs"},
    {0x7461636F, "ocfs2"},  {0x01161970, "gfs2"},   {0x73757245, "coda"},   {0x20030528, "orangefs"},
    {0x786F4256, "vboxsf"},
};

}  // namespace

std::optional<std::string_view> network_file_system_name(std::uint32_t magic) noexcept {
    for (const FileSystem& known : kFileSystems) {
        if (known.magic == magic) {
            return known.name;
        }
    }
    return std::nullopt;
}

std::optional<std::string_view> network_file_system_of(const std::string& path) {
    struct statfs about {};
    return ::statfs(path.c_str(), &about) == 0 ? network_file_system_name(static_cast<std::uint32_t>(about.f_type))
                                               : std::nullopt;
}

}  // namespace opdebug::watch
