// Which calls of the system fail, and how: the plan that the interposed calls (interposed_calls.cpp) follow. It is the
// same for tests of the library, which contain these calls, and for the program, which gets them by LD_PRELOAD.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace opdebug::faults {

// A plan is text, its faults separated by ';'. A fault is words:
//
//     CALL PATTERN WHAT [name=number]...
//
//   CALL     open (by path, or in a folder that is open) read write close opendir readdir create (files and
//            folders) rename; '|' between several.
//   PATTERN  of the path that the call is about, as fnmatch(3) takes it; '*' also means '/'
//   WHAT     EINTR, EIO, ENOSPC ...: the call fails with that number
//            SHORT bytes=N          reads and writes move at most N bytes
//            TRUNCATE bytes=N, REMOVE: happens to the file before the call.
//            FOLDER                 before the call: replaces the file by an empty folder.
//            PAUSE seconds=N        the call takes so long, whatever signals come.
//            HOLD                   the call makes a file of that name with ".held" after it, and waits until the file
//            is
//                                   removed again: at most a minute.
//   skip=N   the first N of the calls pass; readdir counts entries.
//   times=N  only so many of them fail; TRUNCATE and the like happen once
//   every=N  of N calls only the first
//   after=N  for EIO, ENOSPC, ... of read and write: from byte N of the file on; calls that reach it are cut there

enum class Call : unsigned { open, read, write, close, opendir, readdir, create, rename };

/// Replaces the plan there was; empty: nothing fails. False, with a message on stderr, for a plan that is
/// none. Not while other threads use the system.
bool set_plan(std::string_view text);

/// How many calls have been touched since set_plan().
std::uint64_t hits();

/// What shall happen to a call. `error`: it fails with that number. `most`: it moves at most so many bytes.
struct Verdict {
    int error = 0;
    std::size_t most = SIZE_MAX;
};

/// Queries the plan; `offset` and `count` are those of a read or write. Changes of files happen here.
Verdict judge(Call call, const char* path, std::uint64_t offset = 0, std::size_t count = 0) noexcept;

/// Whether any fault is about such calls: finding the path of a descriptor costs a call.
bool concerns(Call call) noexcept;

}  // namespace opdebug::faults
