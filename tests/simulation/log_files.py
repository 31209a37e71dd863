"""Writes a job's lines as the log files that a person would have: levels, lost and rotated lines, files, compression.

Also the conditions, and the device's clock under them.
"""
import gzip
import random

from job import local_time
from truth import SECOND

# Share of lost lines, whether the devices' clocks differ from the hosts', whether the oldest files are gone.
CONDITIONS = {"clean": (0, False, False), "clock": (0, True, False), "lost2": (0.02, False, False),
              "lost20": (0.20, False, False), "rotated": (0, False, True), "mixed": (0.02, True, True)}
FILES = {"GE": "davinci_model.cc", "RUNTIME": "context.cc", "ASCENDCL": "model.cpp", "IDEDD": "operator_dumper.cpp",
         "CCECPU": "dump_task.cpp"}
OFFSETS = ((2000, 20000), (20000, 200000), (200000, SECOND), (SECOND, 5 * SECOND), (SECOND, 5 * SECOND))


class Clocks:
    """Device's clock minus host's, in microseconds, for each device of a host."""

    def __init__(self, job, seed, condition):
        rng = random.Random(f"opdebug locate clocks {seed} {condition}")
        self.offsets = {}
        for process in job.processes:
            for device in process.devices:
                key = (process.host, process.driver_id(device))
                offset = rng.choice((-1, 1)) * rng.randint(*rng.choice(OFFSETS))
                self.offsets.setdefault(key, offset if CONDITIONS[condition][1] else 0)

    def of(self, process, device):
        return self.offsets[process.host, process.driver_id(device)]


class LogFiles:
    def __init__(self, job, seed, condition, clocks):
        self.job, self.clocks = job, clocks
        lost, _, self.is_rotated = CONDITIONS[condition]
        # What is random of the files is equal in all conditions but what the condition itself changes.
        rng = random.Random(f"opdebug locate files {seed}")
        old = {"2020": ("host-0", "plog"), "2021": ("slog",)}
        self.layout = rng.choice(old.get(job.era, ("ascend", "ascend", "ascend", "asys", "flat", "stdout")))
        self.file_lines = rng.choice((None, 300, 700))
        self.is_compressed = rng.random() < 0.3
        self.has_carrier = self.layout == "stdout" and rng.random() < 0.5  # text before each line, as launchers add it
        self.hosts = sorted({process.host for process in job.processes})
        self.has_host_folder = len(self.hosts) > 1 or rng.random() < 0.3
        self.losses = random.Random(f"opdebug locate losses {seed} {condition}")
        self.lost = lost

    def write(self, folder):
        files = {}
        for process in self.job.processes:
            cuts = self.cuts(process)
            lines = sorted(process.voice.lines, key=lambda line: line.time)
            for line, is_lost in zip(lines, self.choose_lost(len(lines))):
                path = self.path(process, line)
                if not is_logged(process, line):
                    line.fate = "not logged at this level"
                elif self.is_rotated and line.time < cuts[line.folder]:
                    line.fate = "rotated away"
                elif is_lost:
                    line.fate = "lost"
                else:
                    files.setdefault((*path, line.device or 0), []).append((self.shown_time(process, line), process, line))
        for (base, name, _), entries in sorted(files.items()):
            entries.sort(key=lambda entry: entry[0])
            count = self.file_lines or len(entries)
            for first in range(0, len(entries), count):
                is_newest = first + count >= len(entries)
                self.write_file(folder, base, name, entries[first:first + count], is_newest)

    def cuts(self, process):
        """Time before which each folder's lines are gone."""
        rng = random.Random(f"opdebug locate cuts {self.job.start} {process.rank if self.layout != 'host-0' else 0}")
        times = sorted(line.time for line in process.voice.lines if line.folder == "debug")
        cut = times[len(times) * rng.randint(15, 55) // 100]
        run, device = rng.random() < 0.15, rng.random() < 0.3
        return {"debug": cut, "run": cut if run else 0, "device": cut if device else 0, "device-run": cut if device else 0}

    def choose_lost(self, count):
        """Three of four lost lines are lost alone, one in a burst, as of a writer that cannot keep up."""
        rng, lost = self.losses, [False] * count
        if self.lost:
            lost = [rng.random() < self.lost * 0.75 for _ in range(count)]
            for first in range(count):
                if rng.random() < self.lost / 4 / 7:
                    length = min(rng.randint(2, 12), count - first)
                    lost[first:first + length] = [True] * length
        return lost

    def path(self, process, line):
        """Folder and beginning of the name of the files for a line; without a device's lines in files of their own."""
        base = f"{process.host}/" if self.has_host_folder else ""
        device = f"device-{line.device}"
        kind = "run" if line.folder in ("run", "device-run") else "debug"
        is_device = line.folder in ("device", "device-run")
        if self.layout == "stdout" and not is_device:
            return base, f"train_{process.rank}.log"
        if self.layout == "host-0":
            return f"{base}slog/host-0/", "host-0"
        if self.layout in ("plog", "slog"):
            return (f"{base}slog/{device}/", f"device-{process.pid}") if is_device else \
                (f"{base}slog/plog/", "plog" if self.layout == "plog" else f"plog-{process.pid}")
        prefix = {"asys": "dfx/log/host/cann/", "flat": "", "stdout": "ascend/log/", "ascend": "ascend/log/"}[self.layout]
        middle = "" if self.layout == "flat" else f"{kind}/{device if is_device else 'plog'}/"
        return base + prefix + middle, f"device-{process.pid}" if is_device else f"plog-{process.pid}"

    def shown_time(self, process, line):
        is_device = line.folder in ("device", "device-run")
        return line.time + (self.clocks.of(process, line.device) if is_device else 0)

    def write_file(self, folder, base, name, entries, is_newest):
        target = folder / base
        target.mkdir(parents=True, exist_ok=True)
        is_plain = name.endswith(".log")
        if not is_plain:
            # The layout "flat" has files of several folders side by side: their times keep the names apart.
            stamp = f"{local_time(entries[0][0], self.job.zone):%Y%m%d%H%M%S%f}"[:17]
            while any((target / f"{name}_{stamp}.log{end}").exists() for end in ("", ".gz")):
                stamp = str(int(stamp) + 1)
            name = f"{name}_{stamp}.log"
        text = "".join(self.format(*entry) + "\n" for entry in entries).encode()
        if self.is_compressed and not is_newest and not is_plain:
            name += ".gz"
            text = gzip.compress(text, 6, mtime=0)
        with open(target / name, "ab" if is_plain else "wb") as file:
            file.write(text)
        for number, (_, _, line) in enumerate(entries, start=1):
            line.fate = f"{base}{name}:{number}"

    def format(self, time, process, line):
        moment = local_time(time, self.job.zone)
        shown = f"{moment:%Y-%m-%d-%H:%M:%S}.{moment.microsecond // 1000:03}.{moment.microsecond % 1000:03}"
        is_old, file = process.voice.old, FILES[line.module]
        if line.module == "CCECPU":
            block = "[AICPU_SCHEDULE]" if is_old else ""
            pid = process.pid + 20000 + 10 * line.device  # that of the device's own process
            return (f"[{line.level}] CCECPU({pid},aicpu_scheduler):{shown} [{file}:241][{line.func}][tid:{line.tid}]{block} "
                    f"{line.text}")
        carrier = f"(Worker_TP{process.rank} pid={process.pid}) " if self.has_carrier else ""
        head = f"{carrier}[{line.level}] {line.module}({process.pid},{process.name}):{shown} [{file}:413]"
        if line.module == "IDEDD":
            return f"{head}[tid:{line.tid}] {line.text}"
        if line.module == "GE" or is_old:
            return f"{head}{line.tid} {line.func}:{line.text}"
        return f"{head} {line.tid} {line.func}: {line.text}"


def is_logged(process, line):
    """By the process's level; the run log is always written."""
    if line.folder.startswith("device") and not process.device_logs:
        return False
    if line.folder in ("run", "device-run"):
        return True
    if process.quiet and process.quiet[0] <= line.time < process.quiet[1] and line.folder == "debug":
        return False
    return process.level == "all" or process.level == {"GE": "ge", "RUNTIME": "runtime"}.get(line.module)
