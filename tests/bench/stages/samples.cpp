#include "samples.hpp"

#include <sstream>

#include <opdebug/locate.hpp>

#include "dumps.hpp"
#include "job_log.hpp"
#include "log_builder.hpp"

namespace opdebug::bench {
namespace {

constexpr std::uint64_t kDumps = 200;
constexpr std::uint64_t kLogBytes = 2U << 20U;

std::vector<SampleDump> make_dumps() {
    std::vector<SampleDump> dumps;
    for (std::uint64_t number = 0; number < kDumps; ++number) {
        SampleDump dump{overflow(number), {}, {}, {}};
        dump.path = (folder_of(dump.overflow) / overflow_dump_name(dump.overflow)).string();
        dump.bytes = overflow_dump_bytes(dump.overflow);
        DecodeOptions options;
        options.file = dump.path;
        dump.decoded = decode(dump.bytes, options).value();
        dumps.push_back(std::move(dump));
    }
    return dumps;
}

std::string make_log() {
    std::ostringstream log;
    write_job_log({kLogBytes, kDumps}, log);
    return log.str();
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    for (std::size_t begin = 0, end = 0; begin < text.size(); begin = end + 1) {
        end = text.find('\n', begin);
        lines.push_back(text.substr(begin, end - begin));
    }
    return lines;
}

}  // namespace

const std::vector<SampleDump>& sample_dumps() {
    static const std::vector<SampleDump> dumps = make_dumps();
    return dumps;
}

const std::string& sample_log() {
    static const std::string log = make_log();
    return log;
}

const std::vector<std::string_view>& sample_lines() {
    static const std::vector<std::string_view> lines = lines_of(sample_log());
    return lines;
}

const std::shared_ptr<const TaskMap>& sample_task_map() {
    static const std::shared_ptr<const TaskMap> map = test::task_map_of(std::vector<std::string>{sample_log()});
    return map;
}

const WantedTasks& sample_wanted() {
    static const WantedTasks wanted = [] {
        WantedTasks tasks;
        for (const SampleDump& dump : sample_dumps()) {
            add_wanted(dump.decoded, tasks);
        }
        return tasks;
    }();
    return wanted;
}

}  // namespace opdebug::bench
