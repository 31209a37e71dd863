// A saved task map: its checksums tell every change.
#include <opdebug/task_map.hpp>

#include "every_byte.hpp"
#include "log_builder.hpp"
#include "logs/map_file/map_file.hpp"
#include "text.hpp"

namespace opdebug::damage {

void try_task_map(Findings& findings) {
    test::LogText log;
    log.at(0).set_up_stream(7).at(10).bind(36, 7, "tiny").at(20).save_dump_task("net/mul_1", 7, 57);
    log.at(21).launch_2023(9, 13, "te_add_1").at(30).kernel_trace("net/sub_4", 8, 4).at(40).unbind(36, 7, "tiny");
    const auto saved = save_task_map(*test::task_map_of(log));
    findings.require(saved.ok(), "the map can be saved");
    const Buffer sound(saved->begin(), saved->end());
    findings.require(logs::read_map_bytes(Bytes(sound), std::nullopt).ok(), "the file is sound at first");
    findings.try_all("a saved map", sound, [&findings](const Buffer& damaged, const Damage&) {
        const auto map = logs::read_map_bytes(Bytes(damaged), std::nullopt);
        findings.require(!map.ok(), "a damaged map is refused");
        if (map) {
            return std::string("ok");
        }
        findings.require(map.error().code == ErrorCode::task_map_invalid, "a refused map is called invalid");
        findings.require(map.error().offset && *map.error().offset <= damaged.size(),
                         "the place of an error lies in the file");
        findings.require(test::contains(map.error().message, "opdebug index"), "an error says what to do",
                         map.error().message);
        return std::string(to_string(map.error().code));
    });
}

}  // namespace opdebug::damage
