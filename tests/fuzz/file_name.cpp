// A path: what its name and folders show, and how it is written.
#include <opdebug/dump.hpp>
#include <opdebug/report.hpp>
#include <opdebug/tree.hpp>

#include "logs/files/log_files.hpp"
#include "require.hpp"
#include "sound_dump.hpp"
#include "target.hpp"
#include "tree/name.hpp"
#include "valid_output.hpp"

using namespace opdebug;

namespace {

/// The smallest payload that is whole, so that names are all that differs.
Dump dump_of_file(const std::string& path) {
    static const std::string converted =
        R"({"magic": "0x5a5a5a5a", "version": 0, "acc_list": {"valid": 1, "acc_type": "SDMA", "rsv": 0, "data_len": 80,)"
        R"( "data": {"model_id": 3, "stream_id": 21, "task_id": 118, "task_type": 0, "context_id": 65535,)"
        R"( "thread_id": 65535, "src_addr": "0x1", "dst_addr": "0x2", "channel_id": 0, "status": 1}}})";
    DecodeOptions options;
    options.file = path;
    const Result<Dump> dump = decode(Bytes(std::string_view(converted)), options);
    fuzz::require(dump.ok(), "a name costs no record", dump ? "" : dump.error().message);
    return *dump;
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string path(Bytes(data, size).text());
    const std::string_view name = file_name_of(path);
    fuzz::require(name.find('/') == std::string_view::npos && name.size() <= path.size(), "a file name has no slash");
    static_cast<void>(parse_dump_name(name));
    if (const auto converted = tree::parse_converted_name(name)) {
        fuzz::require(name.find(converted->dump_name) == 0, "the name of a converted file begins with its dump's");
    }
    const logs::LogName log = logs::read_log_name(name);
    fuzz::require(log.stem.empty() || name.find(log.stem) == 0, "the name of a rotated log begins with its stem");
    const std::string shown = printable(path);
    fuzz::require_safe_text(shown);
    fuzz::require(shown.find('\n') == std::string::npos, "a name is one line");
    fuzz::require(printable(shown) == shown, "what is printable stays as it is");
    fuzz::require_sound_dump(dump_of_file(path));
    fuzz::require_sound_error({ErrorCode::file_not_found, "cannot open it", path, {}}, 0);
    return 0;
}
