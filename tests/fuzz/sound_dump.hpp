// Properties of a decoded dump, however it was read.
#pragma once

#include <opdebug/dump.hpp>

namespace opdebug::fuzz {

/// Its record document is valid, its text safe; the parts of each status agree; and the converter's JSON of it, decoded
/// again, gives the same records and the same JSON.
void require_sound_dump(const Dump& dump);

/// The parts of a status agree with its words.
void require_sound_status(const StatusExplanation& status);

}  // namespace opdebug::fuzz
