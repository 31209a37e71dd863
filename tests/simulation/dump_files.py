"""Writes a job's overflow dumps and operator dumps: bytes, names, folders."""
import random
import struct

from job import local_time
from truth import mangled
from wordings import NO_ID

LAYOUTS = ("runtime",) * 8 + ("old", "msprobe", "mindspore", "server", "flat")


class Record:
    """One overflow dump with its truth."""

    def __init__(self, overflow, path, stamp):
        self.overflow, self.path, self.stamp = overflow, path, stamp


class DumpFiles:
    def __init__(self, job, seed, clocks, has_host_folder):
        self.job, self.clocks = job, clocks
        self.rng = rng = random.Random(f"opdebug locate dumps {seed}")
        self.layout = rng.choice(LAYOUTS)
        self.has_host_folder = has_host_folder or rng.random() < 0.2
        if len({process.host for process in job.processes}) > 1 and rng.random() < 0.25:
            self.has_host_folder = False  # one folder for all: hosts differ by nothing but times
        self.operator_dumps = rng.choice((0, 0, 0.5, 0.9))
        self.is_legacy = job.era in ("2020", "2021") or (job.era == "2023" and rng.random() < 0.5)
        self.name_has_debug_task = job.era in ("2020", "2021") or (job.era == "2023" and rng.random() < 0.5)
        self.names = set()
        self.records = []

    def write(self, folder):
        for overflow in self.job.overflows:
            self.write_overflow(folder, overflow)

    def write_overflow(self, folder, overflow):
        rng, use = self.rng, overflow.use
        process, model, operator = use.process, use.model, overflow.operator
        written = overflow.time + rng.randint(50, 2000)
        offset = self.clocks.of(process, use.device)
        target = folder / self.folder(overflow)
        target.mkdir(parents=True, exist_ok=True)
        has_operator_dump = rng.random() < self.operator_dumps and (use.model or process.host_dumps)
        # An operator dump whose overflow dump is gone is a decoy for the other overflow dumps of its ids.
        has_overflow_dump = not (has_operator_dump and rng.random() < 0.1)
        ids = [use.task] if self.job.era == "2020" else [use.task, use.stream]
        debug = model.debug_task if overflow.step is not None else None
        if debug:
            process.voice.dumped_by_device(written - 40, use.device, debug, "Node_OpDebug", NO_ID, NO_ID)
        if has_overflow_dump:
            named = ids
            if debug and self.name_has_debug_task:
                named = [debug.task] if self.job.era == "2020" else [debug.task, debug.stream]
            path, stamp = self.unused(target, "Opdebug.Node_OpDebug", named, written + offset, self.contexts(overflow))
            path.write_bytes(self.overflow_dump(overflow, stamp))
            self.records.append(Record(overflow, path.relative_to(folder.parent), stamp))
        if has_operator_dump:
            after = written + (rng.randint(300, 8000) if rng.random() < 0.9 else -945)
            process.voice.dumped_by_device(after - 30, use.device, use, operator.name, overflow.context, overflow.thread)
            numbers = ids if use.model else [0] + ids
            self.write_operator_dump(target, operator, numbers, after + offset, self.contexts(overflow))
            if rng.random() < 0.1 and self.job.era != "2020":
                other = type(operator)(rng, 0, f"decoy/{operator.type}_9", operator.type)
                self.write_operator_dump(target, other, [use.task, use.stream + 1000], written + offset + 500, "")

    def folder(self, overflow):
        """Folder of an overflow dump below the tree; it has no model and no step where no model is executed."""
        use = overflow.use
        process, model, device = use.process, use.model, use.device
        base = f"{process.host}/dump" if self.has_host_folder else "dump"
        begin = f"{local_time(process.folder_time, self.job.zone):%Y%m%d%H%M%S}/{device}"
        is_sunk = overflow.step is not None
        if self.layout == "flat":
            return base
        if self.layout == "mindspore":
            return f"{base}/rank_{process.rank}/debug_files/{overflow.step}" if is_sunk else f"{base}/{device}"
        if is_sunk:
            identity = model.ge_id if self.job.era in ("2020", "2021", "2023") else model.runtime_id
            name = f"{model.name}/" if self.layout != "old" else ""
            begin += f"/{name}{identity}/{overflow.step}"
        elif self.layout == "old" and self.job.era in ("9.1", "950"):
            return f"{base}/{device}"  # dumped by the host itself
        if self.layout == "msprobe":
            return f"{base}/rank_{process.rank}/20260101010101/step_0/{begin}"
        if self.layout == "server":
            return f"{base}/pid{process.pid}/device{device}/{begin}"
        return f"{base}/{begin}"

    def contexts(self, overflow):
        if overflow.context == NO_ID:
            return ""
        return f".4.{overflow.context}.{overflow.thread}.{overflow.use.device}"

    def unused(self, folder, name, ids, stamp, ending):
        while True:
            path = folder / f"{name}.{'.'.join(map(str, ids))}.{stamp}{ending}"
            if path not in self.names:
                self.names.add(path)
                return path, stamp
            stamp += 1

    def overflow_dump(self, overflow, stamp):
        use = overflow.use
        model = use.model.runtime_id if overflow.step is not None else NO_ID
        if self.is_legacy:
            fields = struct.pack("<6Q", model, use.stream, use.task, 0, 0x1008005b0000, 0x100800297000)
            payload = bytes(256) + fields + bytes(1024 - 256 - 48) + struct.pack("<3Q", 0x1008005ae000, 1, 32)
        else:
            kind = 52 if use.contexts else overflow.operator.task_type
            unit = 1 if kind == 66 else 0
            fields = struct.pack("<11Q", model, use.stream, use.task, kind, overflow.context, overflow.thread,
                                 0x1008005b0000, 0x100800297000, 3, 1, 32)
            payload = struct.pack("<6I", 0x5a5a5a5a, 0, 1, unit, 0, len(fields)) + fields
        return dump(stamp, "Node_OpDebug", 4, payload.ljust(2048, b"\0"))

    def write_operator_dump(self, folder, operator, ids, stamp, ending):
        name = f"{mangled(operator.type)}.{mangled(operator.name)}"
        path, stamp = self.unused(folder, name, ids, stamp, ending)
        path.write_bytes(dump(stamp, operator.name, 1, struct.pack("<4f", 1, 2, 3, 4)))


def varint(number):
    encoded = bytearray()
    while number > 0x7f:
        encoded.append(number & 0x7f | 0x80)
        number >>= 7
    encoded.append(number)
    return bytes(encoded)


def number_field(field, number):
    return varint(field << 3) + varint(number)


def bytes_field(field, content):
    return varint(field << 3 | 2) + varint(len(content)) + content


def dump(stamp, name, data_type, payload):
    """A dump of container version 2: length of the header, header, bytes of its only output."""
    shape = bytes_field(3, bytes_field(1, varint(len(payload))))
    original = bytes_field(4, bytes_field(1, name.encode()) + number_field(3, data_type) + number_field(4, 2))
    output = number_field(1, data_type) + number_field(2, 2) + shape + original + number_field(6, len(payload))
    header = bytes_field(1, b"2.0") + number_field(2, stamp) + bytes_field(3, output) + bytes_field(6, name.encode())
    return struct.pack("<Q", len(header)) + header + payload
