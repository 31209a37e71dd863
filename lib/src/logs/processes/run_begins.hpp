// Process ids come back: two runs in the logs of one process id, as containers have them that are started again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "logs/facts/task_map.hpp"

namespace opdebug::logs {

/// Finds out where a process id began to mean a new process. A log continues in more files (rotation at 20 MB), so
/// another file alone proves nothing. A new run begins with a file that meets two conditions:
///  * A line sets up a stream or binds it to a model. A line with the same text is in an earlier file, without a
///  release
///    in between.
///  * The file begins at least a second after the end of the one before in its folder. It is inferred that rotation
///    takes less time.
/// This recognises a new run after a crash; a run that ended properly has released and unbound what it had.
class RunBegins {
public:
    /// Lines of the process in a file: the times that they cover. Called before the facts of these lines are seen.
    void add_lines(std::uint32_t file, const std::string& folder, std::int64_t first_us, std::int64_t last_us);
    void see(const StoredFact& stored);

    /// Facts of kind run_begin, and run_pause for files that begin a minute or more after the one before.
    std::vector<StoredFact> finish() const;

private:
    struct File {
        std::uint32_t number = 0;
        std::string folder;
        std::int64_t first_us = 0;
        std::int64_t last_us = 0;
    };
    struct Gap {
        std::int64_t last_us = 0;    ///< of the files before
        const File* file = nullptr;  ///< after the gap
    };
    /// Something that lines begin: a stream, or its binding to a model; on a device, by the driver's number or the
    /// process's own, by lines with one text.
    using Subject = std::tuple<std::uint64_t, std::optional<std::uint64_t>, DeviceFilter, DeviceFilter, std::string>;
    struct Begun {
        std::uint64_t number = 0;  ///< of the line among those that were seen
        std::uint32_t file = 0;
        std::int64_t time_us = 0;
    };

    /// When something ended last, by the number of the line. Ends are noted and looked up: what they end need not be
    /// searched for, of which a log can have begun very much.
    class Ends {
    public:
        /// Without stream: of a model on all streams. Without model: all that the stream has.
        void note(std::optional<std::uint64_t> stream, std::optional<std::uint64_t> model, DeviceFilter device,
                  std::uint64_t number);
        /// The last one that may be of the device; 0: none.
        std::uint64_t last(std::optional<std::uint64_t> stream, std::optional<std::uint64_t> model,
                           DeviceFilter device) const;

    private:
        using Key = std::pair<std::optional<std::uint64_t>, std::optional<std::uint64_t>>;
        std::map<std::pair<Key, DeviceFilter>, std::uint64_t> of_device_;  ///< as the lines name it, or name none
        std::map<Key, std::uint64_t> of_any_device_;
    };

    struct Repeated {
        std::uint32_t file = 0;
        StoredFact stored;
    };

    void begin(std::optional<std::uint64_t> model, const StoredFact& stored);
    bool is_ended(const Subject& subject, const Begun& begun) const;
    std::vector<Gap> find_gaps() const;

    std::vector<File> files_;  ///< in the order in which they are read
    std::map<Subject, Begun> begun_;
    Ends ends_;
    std::uint64_t seen_ = 0;          ///< lines
    std::vector<Repeated> repeated_;  ///< the first repeated beginning of each file
};

}  // namespace opdebug::logs
