// A saved task map: every damage is noticed.
#include <opdebug/logs.hpp>

#include "every_byte.hpp"
#include "log_builder.hpp"
#include "saved_map.hpp"
#include "temporary_directory.hpp"
#include "text.hpp"

namespace opdebug::damage {

void try_task_map(Findings& findings) {
    const test::TemporaryDirectory directory;
    test::LogText log;
    log.at(0).set_up_stream(7).at(10).bind(36, 7, "tiny").at(20).save_dump_task("net/mul_1", 7, 57);
    log.at(21).launch_2023(9, 13, "te_add_1").at(30).kernel_trace("net/sub_4", 8, 4).at(40).unbind(36, 7, "tiny");
    const std::string saved = test::saved({test::write_file(directory / "plog-5100_1.log", log.text())});
    const Buffer sound(saved.begin(), saved.end());
    const std::string path = directory / "tasks.map";
    const auto read = [&path](const Buffer& bytes) {
        test::write_file(path, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
        return read_logs({path});
    };
    const auto whole = read(sound);
    findings.require(whole && whole->failures.empty(), "the file is sound at first");
    findings.try_all("a saved map", sound, [&](const Buffer& damaged, const Damage&) {
        const auto map = read(damaged);
        if (map && map->failures.empty()) {  // in the tables that only a search for one task reads
            return std::string("ok");
        }
        return std::string(to_string(map ? map->failures.front().code : map.error().code));
    });
}

}  // namespace opdebug::damage
