"""Runs commands and says what they cost: wall clock, processor time, peak memory. Medians over rounds."""
import dataclasses
import os
import statistics
import sys
import time

ENVIRONMENT = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "TZ": "UTC", "LC_ALL": "C"}


@dataclasses.dataclass
class Cost:
    wall: float  # seconds
    cpu: float  # seconds of processor time, user and system, of the process and its children
    peak: int  # bytes of memory at most


def run_once(command):
    """One run, output thrown away. posix_spawn, because a fork of the interpreter would cost more than a short process."""
    actions = [(os.POSIX_SPAWN_OPEN, stream, "/dev/null", os.O_RDWR, 0) for stream in (0, 1, 2)]
    arguments = [str(part) for part in command]
    begin = time.perf_counter()
    child = os.posix_spawnp(arguments[0], arguments, ENVIRONMENT, file_actions=actions)
    _, status, used = os.wait4(child, 0)
    wall = time.perf_counter() - begin
    if os.waitstatus_to_exitcode(status) != 0:
        sys.exit(f"exit status {os.waitstatus_to_exitcode(status)}: {' '.join(arguments)}")
    return Cost(wall, used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)


def median_of(costs):
    return Cost(statistics.median(cost.wall for cost in costs), statistics.median(cost.cpu for cost in costs),
                max(cost.peak for cost in costs))


def side_by_side(commands, rounds, repeated=1, result=None):
    """The median cost of each command. They take turns, so that a busy moment of the machine meets all of them; a run of each
    comes before and is not counted. `repeated`: runs of a round, for short processes; their median counts. `result`: a file that
    is taken away before each run of a command that names it: ext4 lets whoever replaces a file of seconds ago wait 40 ms."""

    def run(command):
        if result in command:
            result.unlink(missing_ok=True)
        return run_once(command)

    for command in commands:
        run(command)
    costs = [[] for _ in commands]
    for _ in range(rounds):
        for command, of_command in zip(commands, costs):
            of_command.append(median_of([run(command) for _ in range(repeated)]))
    return [median_of(of_command) for of_command in costs]


def read_from_disk(path):
    """Has the system's cache hold a file as it does for whoever reads it some time after it was written: the cache gives it up
    and reads it again. Linux 6.16 and later keep it in larger pieces then than if it was written bit by bit, as the generator
    does, and then reading takes less than half as long; which of the two it was hung on what ran before."""
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)  # what is not on the disk cannot be given up
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        while os.read(file, 1 << 20):
            pass
    finally:
        os.close(file)
