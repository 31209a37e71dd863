// Logs and saved maps that are read together: whatever was saved of them, they answer alike.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <opdebug/locate.hpp>

#include "location.hpp"
#include "log_builder.hpp"
#include "saved_map.hpp"
#include "temporary_directory.hpp"

namespace opdebug::test {

/// Log files, of which parts are saved.
class Logs {
public:
    std::string add(std::string_view file, const LogText& lines) {
        return write_file(folder_.path() / file, lines.text());
    }

    std::string save(const std::vector<std::string>& files) {
        return write_file(folder_.path() / ("saved" + std::to_string(maps_++) + ".map"), saved(files));
    }

private:
    TemporaryDirectory folder_;
    int maps_ = 0;
};

inline Location located_in(const std::vector<std::string>& logs_and_maps, const Dump& dump, bool reads_all) {
    ReadLogsOptions options;
    if (!reads_all) {
        options.wanted.emplace();
        add_wanted(dump, *options.wanted);
    }
    const auto read = read_logs(logs_and_maps, options);
    REQUIRE(read.ok());
    return locate_in(read->task_map, dump);
}

/// The operator and the remarks, by all orders of reading; the test fails where they disagree.
inline std::string operator_in(std::vector<std::string> logs_and_maps, const Dump& dump) {
    const Location location = located_in(logs_and_maps, dump, true);
    for (int turn = 0; turn < 2; ++turn) {
        std::swap(logs_and_maps.front(), logs_and_maps.back());
        for (const bool reads_all : {true, false}) {
            const Location other = located_in(logs_and_maps, dump, reads_all);
            CHECK(shown(other.op) == shown(location.op));
            CHECK(candidates_of(other) == candidates_of(location));
            CHECK(shown(other.model) == shown(location.model));
            CHECK(remarks_of(other) == remarks_of(location));
        }
    }
    const std::string remarks = remarks_of(location);
    return shown(location.op) + (remarks.empty() ? "" : ", " + remarks);
}

inline std::string operator_in(const std::vector<std::string>& logs_and_maps, const RecordIds& ids,
                               std::int64_t milliseconds) {
    return operator_in(logs_and_maps, dump_of(ids, milliseconds));
}

}  // namespace opdebug::test
