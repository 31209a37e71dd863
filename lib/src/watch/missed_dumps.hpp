// Dumps that were gone when they were to be read: deleted, or under another path by now.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "watch/file_version.hpp"

namespace opdebug::watch {

/// A dump as it was seen last. It may be gone before the system could tell of more than its name: then the version has
/// no size.
struct SeenDump {
    std::string file;
    FileVersion version;

    bool was_examined() const noexcept { return version.size >= 0; }
};

class MissedDumps {
public:
    void add(SeenDump dump) { missed_.push_back(std::move(dump)); }

    std::size_t count() const noexcept { return missed_.size(); }

    /// How many lie nowhere else; all are forgotten. `there`: the dumps that came since. One that was never examined is
    /// taken for one of the same name, each for another one.
    std::uint64_t take_gone(const std::vector<SeenDump>& there);

private:
    std::vector<SeenDump> missed_;
};

}  // namespace opdebug::watch
