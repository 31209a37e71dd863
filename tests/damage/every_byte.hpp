// Every prefix and every change of one byte of a sound file, and what was seen of them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "wire.hpp"

namespace opdebug::damage {

using test::Buffer;

/// quick: a byte gets 0x00, 0xFF, each single bit turned, one more and one less. Of long runs of zeros only every
/// 61st byte is changed. full: all bytes, all 255 other values.
enum class Extent { quick, full };

/// What was done to a sound file.
struct Damage {
    std::size_t place = 0;  ///< the byte that changed, or where the file ends now
    bool cut = false;
};

/// Looks at one damaged file, in memory of exactly its size. Returns the outcome that is counted: "ok" or an error
/// code.
using Look = std::function<std::string(const Buffer& damaged, const Damage& damage)>;

/// What was tried, and what did not hold.
class Findings {
public:
    explicit Findings(Extent extent) : extent_(extent) {}

    /// Calls `look` for each prefix and each change of `sound`.
    void try_all(const std::string& file, const Buffer& sound, const Look& look);
    /// Calls `look` for each prefix of `sound` with `behind` after it.
    void try_cuts_before(const std::string& file, const Buffer& sound, const Buffer& behind, const Look& look);
    /// A property that must hold of the damaged file that is being looked at.
    void require(bool holds, std::string_view property, std::string_view found = {});
    /// The counts, one line for each. False when something did not hold, or nothing was tried.
    bool report(const char* subject) const;

private:
    void try_one(const Buffer& damaged, const Damage& damage, const Look& look);

    Extent extent_;
    std::string file_;
    Buffer damaged_;
    Damage damage_;
    std::uint64_t files_ = 0, prefixes_ = 0, changes_ = 0, violations_ = 0;
    std::map<std::string, std::uint64_t> outcomes_;
};

// The subjects. Each tries all of its files.
void try_dumps(Findings& findings);
void try_converted(Findings& findings);
void try_op_dumps(Findings& findings);
void try_task_map(Findings& findings);
void try_mapping(Findings& findings);
void try_log(Findings& findings);
void try_api_dumps(Findings& findings);

}  // namespace opdebug::damage
