// Process ids come back: two runs in the logs of one process id, as containers have them that are started again.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "logs/task_map.hpp"

namespace opdebug::logs {

/// Finds out where a process id began to mean a new process. A log goes on in further files (rotation at 20 MB), so a
/// further file alone tells nothing. A new run is taken to begin with a file in which a stream is set up, or bound to a
/// model, by the same wording as in an earlier file without being given up in between, when the file begins at least a
/// second after the end of the one before in its folder; that rotation takes less is inferred. What a crash leaves open
/// is told apart by that; a run that ended properly has released and unbound what it had.
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
    /// A line that began something that is not ended yet.
    struct Begun {
        std::uint64_t subject = 0;  ///< a stream, or a model of a stream
        DeviceFilter device;
        std::string format_id;
        std::uint32_t file = 0;
        std::int64_t time_us = 0;
    };
    using OfStream = std::map<std::uint64_t, std::vector<Begun>>;

    void begin(OfStream& begun, std::uint64_t subject, const StoredFact& stored);
    const File* file_before(const File& file) const;

    std::vector<File> files_;  ///< in the order in which they are read
    OfStream set_up_;
    OfStream bound_;
    std::vector<StoredFact> repeated_;  ///< the first repeated beginning of each file
};

}  // namespace opdebug::logs
