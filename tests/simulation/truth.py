"""What a made-up job consists of, and whether an answer of the program is the truth."""
import heapq

from wordings import Voice

SECOND = 1000000
# Warnings that are not about which operator or model it was.
OTHER_WARNINGS = {"documents_disagree", "undocumented_code", "newer_description_only", "four_status_words",
                  "undocumented_status", "no_status_table", "version_unknown", "not_measured_before", "order_by_path"}


class Operator:
    def __init__(self, rng, number, name, kind):
        self.number, self.name, self.type = number, name, kind
        self.digest = "%032x" % rng.getrandbits(128)
        self.task_type = rng.choice((0, 0, 66))
        self.kernel = None


class Use:
    """A period in which ids mean one operator. `contexts`: (context, thread, operator) of an FFTS+ task."""

    def __init__(self, process, device, stream, task, operator, model, contexts=()):
        self.process, self.device, self.stream, self.task = process, device, stream, task
        self.operator, self.model, self.contexts = operator, model, contexts
        self.begin = self.end = None  # submitted; its stream left the model, or was freed


class Model:
    def __init__(self, name, ge_id, runtime_id, graph_id):
        self.name, self.ge_id, self.runtime_id, self.graph_id = name, ge_id, runtime_id, graph_id


class Ids:
    """Ids that a driver gives and takes back."""

    def __init__(self, rng, first):
        self.next, self.free, self.used = first, [], []
        self.newest_first = rng.random() < 0.5

    def take(self, time, until):
        while self.used and self.used[0][0] < time:
            self.free.append(heapq.heappop(self.used)[1])
        if self.free:
            taken = self.free.pop() if self.newest_first else self.free.pop(self.free.index(min(self.free)))
        else:
            taken, self.next = self.next, self.next + 1
        heapq.heappush(self.used, (until, taken))
        return taken


class Overflow:
    def __init__(self, use, operator, context, thread, time, step):
        self.use, self.operator, self.context, self.thread = use, operator, context, thread
        self.time, self.step = time, step  # step: None where no model is executed


class Process:
    def __init__(self, job, host, pid, devices, first_driver_id, start, end):
        rng = job.rng
        self.host, self.pid, self.devices, self.era, self.start, self.end = host, pid, devices, job.era, start, end
        self.name = rng.choice(("python3", "python", "main", "") if job.era != "2020" else ("python3", "main"))
        self.first_driver_id = first_driver_id
        self.folder_time = start + rng.randint(SECOND, 4 * SECOND)
        self.rank = len(job.processes)
        self.models = 0
        self.level, self.device_logs = job.level, job.device_logs
        self.is_eager = job.era in ("2023", "8.5", "9.1", "950") and rng.random() < 0.5
        self.has_models = not self.is_eager or rng.random() < 0.6
        self.reports, self.host_dumps = job.reports, job.host_dumps
        self.quiet = None  # INFO lines were switched off: only here do ids wrap, for 65,535 tasks are too many to write
        if self.is_eager and not self.has_models and rng.random() < 0.5:
            self.quiet = (start + (end - start) * 4 // 10, start + (end - start) * 6 // 10)
        self.voice = Voice(self, rng)

    def driver_id(self, device):
        return self.first_driver_id + device


def mangled(name):
    """A name in a file's name."""
    return "".join("_" if character in " ./\\" else character for character in name)


def is_right(answer, operator):
    """Name and kernel must both be those of the use; what the answer leaves open does not count against it."""
    name, kernel = answer["name"], answer["kernel"]
    if name and mangled(name) != mangled(operator.name):
        return False
    if kernel and operator.kernel and kernel != operator.kernel:
        return False
    return bool(name or kernel) or answer["type"] == operator.type


def is_wrong_model(block, overflow):
    if block is None:
        return False
    model = overflow.use.model
    if model is None:
        return True
    return any(block[key] is not None and block[key] != truth for key, truth in
               (("name", model.name), ("runtime_id", model.runtime_id), ("ge_id", model.ge_id)))


def verdict(document, overflow):
    """The column of one answer, and which further columns count it."""
    answer = document["operator"]
    codes = {remark["code"] for remark in document["diagnostics"] if remark["severity"] != "info"} - OTHER_WARNINGS
    marks = {"model"} if is_wrong_model(document["model"], overflow) else set()
    if answer is None:
        return "null", marks
    answers = answer["candidates"] or [answer]
    fits = [is_right(each, overflow.operator) for each in answers]
    if any(fits):
        column = "right" if len(answers) == 1 else "first" if fits[0] else "among"
        if column == "right" and codes:
            marks.add("doubt")
        return column, marks
    if answer["confidence"] == "exact":
        marks.add("exact")
    return "warned" if codes else "silent" if len(answers) == 1 else "missed", marks


def check_truth(job):
    """That the ids of each overflow mean its use at that time and no other: what the simulation stands on."""
    for overflow in job.overflows:
        key = ids_of(overflow.use)
        uses = [use for use in job.uses if ids_of(use) == key and use.begin <= overflow.time < use.end]
        if max(uses, key=lambda use: use.begin, default=None) is not overflow.use or \
                (overflow.step is not None and len(uses) > 1):
            raise AssertionError(f"stream {overflow.use.stream}, task {overflow.use.task}: the truth is not one use")


def ids_of(use):
    return use.process.host, use.process.driver_id(use.device), use.stream, use.task
