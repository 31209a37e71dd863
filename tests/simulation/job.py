"""A made-up job with its truth: hosts, processes, devices, models and streams over time, and what overflowed.

Depends on the seed and the size alone. Clocks, lost lines and rotation come later (log_files.py), so all conditions of a
seed have the same job. Times are true times in microseconds since 1970.
"""
import datetime
import random

from truth import SECOND, Ids, Model, Operator, Overflow, Process, Use, check_truth
from wordings import ERAS, NO_ID

TYPES = ("Add", "Mul", "Exp", "RealDiv", "MatMulV2", "SoftmaxV2", "LayerNorm", "ReduceSumD", "Cast", "Sqrt", "Log1p",
         "GatherV2", "Conv2D", "BiasAdd", "Pow", "ReduceMeanD", "Sigmoid", "Tanh", "Square", "Rsqrt")
FIRST_IDS = {"2020": 512, "2021": 3}
YEARS = {"2020": 2020, "2021": 2021, "2023": 2023, "8.5": 2025, "9.1": 2026, "950": 2026}
SIZES = {"small": {"operators": (4, 8), "launches": (12, 30), "overflows": 2},
         "full": {"operators": (5, 16), "launches": (30, 90), "overflows": 4}}


class Job:
    def __init__(self, seed, size):
        self.rng = random.Random(f"opdebug locate {seed} {size}")
        self.seed, self.size = seed, SIZES[size]
        self.era = ERAS[self.rng.randrange(len(ERAS))]
        self.zone = self.rng.choice((480, 480, 480, 0, 330, -420))  # minutes east of UTC
        day = datetime.datetime(YEARS[self.era], 1, 1) + datetime.timedelta(days=self.rng.randrange(330))
        self.start = int((day - datetime.datetime(1970, 1, 1)).total_seconds()) * SECOND + self.rng.randrange(86400) * SECOND
        self.provisional = self.rng.choice(("zero", "zero", "allocator"))
        self.level = self.choose_level()
        self.device_logs = self.era != "2020" and self.rng.random() < 0.6
        self.reports = self.rng.choice(("none", "operator", "execution"))
        self.host_dumps = self.level == "all" and self.rng.random() < 0.5
        self.number = 0
        self.processes, self.uses, self.overflows = [], [], []
        self.plans = [self.plan() for _ in range(3)]
        self.arrange()
        self.run()

    def arrange(self):
        """One process, ranks, one process with several devices, containers with equal process ids, or a run after a run."""
        rng, kind = self.rng, self.rng.choice(("one", "ranks", "ranks", "devices", "containers", "runs"))
        pid, life = rng.randint(1000, 90000), rng.randint(60, 240) * SECOND
        if kind == "one":
            self.open("worker-0", pid, [0], 0, self.start, life)
        elif kind == "ranks":
            for rank in range(rng.randint(2, 8 if self.size is SIZES["full"] else 3)):
                self.open("worker-0", pid + 40 * rank, [rank], 0, self.start + rng.randint(0, 2 * SECOND), life)
        elif kind == "devices":
            count = rng.randint(2, 8 if self.size is SIZES["full"] else 3)
            # Renumbered devices only where the log has a line on the numbers.
            first = rng.choice((0, 0, 4)) if self.era not in ("2020", "2021") else 0
            self.open("worker-0", pid, list(range(count)), first, self.start, life)
        elif kind == "containers":
            for number in range(2):
                self.open(f"worker-{number}", pid, [0], 0, self.start + rng.randint(0, 5 * SECOND), life)
        else:
            self.open("worker-0", pid, [0], 0, self.start, life)
            later = self.start + life + rng.randint(3, 60) * SECOND
            self.level = self.choose_level()  # a run is often repeated with other levels
            self.open("worker-0", pid + rng.randint(500, 900), [0], 0, later, life)

    def choose_level(self):
        """The modules that log at INFO."""
        return self.rng.choice(("all",) * 14 + ("ge", "ge", "runtime", "runtime", "error"))

    def open(self, host, pid, devices, first_driver_id, start, life):
        self.processes.append(Process(self, host, pid, devices, first_driver_id, start, start + life))

    def plan(self):
        """What a model consists of; ranks share plans."""
        rng = self.rng
        operators = []
        for _ in range(rng.randint(*self.size["operators"])):
            is_ffts = self.era in ("8.5", "9.1") and rng.random() < 0.15
            operators.append([self.node() for _ in range(rng.randint(2, 4))] if is_ffts else [self.node()])
        return {"name": f"{rng.choice(('bert', 'resnet50', 'ge_default', 'kernel_graph'))}_{rng.randrange(100)}",
                "operators": operators, "streams": rng.randint(1, 3)}

    def node(self):
        self.number += 1
        kind = self.rng.choice(TYPES)
        scope = self.rng.choice(("bert/encoder/layer_3", "while/cell", "net", "gradients/layer"))
        return f"{scope}/{kind}_{self.number}", kind

    def run(self):
        """Segments in order of time, so that ids go to who comes first."""
        segments = []
        for process in self.processes:
            for device in process.devices:
                segments.append((process.start, len(segments), self.run_device, process, device, process.end))
                segments += self.segments(process, device, len(segments) + 1)
        pools = {}
        for start, _, action, process, device, end in sorted(segments, key=lambda segment: segment[:2]):
            key = (process.host, process.driver_id(device))
            if key not in pools:
                pools[key] = (Ids(self.rng, FIRST_IDS.get(self.era, 2)), Ids(self.rng, FIRST_IDS.get(self.era, 0)))
            action(process, device, start, end, *pools[key])
        self.overflows.sort(key=lambda overflow: overflow.time)
        check_truth(self)

    def segments(self, process, device, number):
        rng, made = self.rng, []
        first, last = process.start + 5 * SECOND + rng.randint(0, SECOND), process.end - 3 * SECOND
        if process.has_models:
            time = first
            while time + 4 * SECOND < last and len(made) < 4:
                end = min(last, time + rng.randint(4, 60) * SECOND)
                made.append((time, number + len(made), self.run_model, process, device, end))
                time = end + rng.choice((20000, 2 * SECOND, -3 * SECOND, 15 * SECOND)) + rng.randint(0, 3 * SECOND)
        if process.is_eager:
            for _ in range(rng.randint(1, 2)):
                start = first + rng.randint(0, SECOND)
                end = last - rng.randint(0, SECOND) if process.quiet else min(last, start + rng.randint(5, 50) * SECOND)
                made.append((start, number + len(made), self.run_eager, process, device, end))
                if not process.quiet and end + 6 * SECOND < last:
                    first = end + rng.randint(30000, 4 * SECOND)
        return made

    def run_device(self, process, device, start, end, streams, _):
        """The stream that models are executed on lives as long as the process."""
        voice, tid = process.voice, process.pid + 100 * device
        time = voice.device_opened(start + 1000 + self.rng.randint(0, 50000), tid, device)
        stream = streams.take(time, end)
        voice.stream_opened(time, tid, device, stream, 0)
        voice.stream_freed(end, tid, device, stream)
        setattr(process, f"execution_{device}", [stream, 0])

    def run_model(self, process, device, start, end, streams, models):
        rng, voice, tid = self.rng, process.voice, process.pid + 100 * device + 1
        plan = rng.choice(self.plans) if rng.random() < 0.7 else self.plan()
        process.models += 1
        model = Model(plan["name"], process.models, models.take(start, end + SECOND), process.models)
        ids = [streams.take(start, end + SECOND // 50) for _ in range(plan["streams"])]
        time = voice.model_loading(start, tid, model)
        for index, stream in enumerate(ids):
            time = voice.stream_opened(time, tid, device, stream, 0 if self.era == "2023" else 1)
            time = voice.stream_of_model(time, tid, index, model, stream)
        time = voice.model_created(time, tid, model)
        for stream in ids:
            time = voice.bound(time, tid, model, stream)
        uses, tasks = [], {stream: rng.randint(0, 2) for stream in ids}
        for nodes in plan["operators"]:
            stream = rng.choice(ids)
            if rng.random() < 0.2:
                time = voice.submitted(time, tid, device, stream, tasks[stream], 2, True)
                tasks[stream] += 1
            uses.append(self.set_up(process, device, model, nodes, stream, tasks[stream]))
            tasks[stream] += 1
            uses[-1].begin, uses[-1].end = time, end
            time = self.write_set_up(voice, time + rng.randint(5, 200), tid, uses[-1], model)
        self.uses += uses
        time = voice.submitted(time, tid, device, ids[-1], tasks[ids[-1]], 67, True)
        time = voice.model_loaded(time, tid, model, device, ids[-1], tasks[ids[-1]])
        model.debug_task = Use(process, device, ids[0], tasks[ids[0]] + 1, None, model)
        time = voice.debug_registered(time, tid, model)
        base = f"/data/dump/{local_time(process.folder_time, self.zone):%Y%m%d%H%M%S}/{device}"
        voice.map_of_device(time, device, model, uses, base)
        self.execute(process, device, model, uses, time + 5000, end - 20000)
        time = voice.model_unloading(end, tid, model)
        for stream in ids:
            time = voice.unbound(time, tid, model, stream)
        for stream in ids:
            time = voice.stream_freed(time, tid, device, stream)
        voice.model_destroyed(time, tid, model)

    def set_up(self, process, device, model, nodes, stream, task):
        """The use of one task of a model: a kernel, or an FFTS+ task of several."""
        operators = [Operator(self.rng, self.number, *node) for node in nodes]
        for operator in operators:
            digits = {"2020": f"0_{model.graph_id}", "2021": f"-1_0_{model.ge_id}", "2023": f"00_{model.ge_id}"}.get(self.era)
            operator.kernel = f"{digits}_{operator.name}" if digits else self.hashed_kernel(operator)
        if len(operators) == 1:
            return Use(process, device, stream, task, operators[0], model)
        threads = range(self.rng.randint(1, 2))
        contexts = [(number + 1, thread, operator) for number, operator in enumerate(operators) for thread in threads]
        for operator in operators:
            operator.kernel = None  # sent as a part of the FFTS+ task: no launch line names it
        return Use(process, device, stream, task, operators[0], model, contexts)

    def hashed_kernel(self, operator):
        """From 2024 on: operator type, hash, tiling key; no node name."""
        ending = self.rng.choice(("", "", "_mix_aic"))
        return f"{operator.type}_{operator.digest}_high_performance_{self.rng.randint(1, 2000001)}{ending}"

    def write_set_up(self, voice, time, tid, use, model):
        nodes = use.contexts or [(0xffffffff, 0xffffffff, use.operator)]
        if voice.old:
            time = voice.task_of_model(time, tid, model, use.stream, use.task)
            time = voice.node_saved(time, tid, use, use.operator.name)
            return voice.sent_kernel(voice.submitted(time, tid, use.device, use.stream, use.task, 0, True), use, use.task)
        if not use.contexts:
            time = voice.launched(time, tid, use, self.printed_task(use.task))
        kind = 52 if use.contexts else use.operator.task_type
        time = voice.submitted(time, tid, use.device, use.stream, use.task, kind, True)
        for context, thread, operator in nodes:
            time = voice.node_saved(time, tid, use, operator.name, context, thread)
        return voice.node_distributed(time, tid, use, use.operator.name if not use.contexts else "ffts/graph")

    def printed_task(self, task):
        """The task id of a launch line: final in 2023, provisional later."""
        if self.era == "2023":
            return task
        return 0 if self.provisional == "zero" else self.rng.randrange(200)

    def execute(self, process, device, model, uses, begin, end):
        rng, voice, tid = self.rng, process.voice, process.pid + 100 * device
        execution = getattr(process, f"execution_{device}")
        for step in range(rng.randint(1, self.size["overflows"])):
            time = begin + (end - begin) * step // 6 + rng.randint(0, max(1, (end - begin) // 7))
            execution[1] += 1
            voice.model_executed(time, tid, model, device, *execution)
            for use in rng.sample(uses, min(len(uses), rng.randint(0, 2))):
                context, thread, operator = rng.choice(use.contexts) if use.contexts else (NO_ID, NO_ID, use.operator)
                done = time + rng.randint(200, 20000)
                self.overflows.append(Overflow(use, operator, context, thread, done, step))
                if process.reports != "none":
                    ids = execution if process.reports == "execution" else (use.stream, use.task)
                    voice.overflow_reported(done + rng.randint(20, 2000), device, *ids)

    def run_eager(self, process, device, start, end, streams, _):
        """Launches one by one, by one or two threads; ids count up, also over a period without lines."""
        rng, voice = self.rng, process.voice
        tids = [process.pid + 100 * device + 20 + number for number in range(rng.randint(1, 2))]
        is_dynamic = rng.random() < (0.7 if self.era == "2023" else 0.35)
        stream = streams.take(start, end)
        time = voice.stream_opened(start, tids[0], device, stream, 0)
        model = None
        if is_dynamic:
            process.models += 1
            model = Model(f"dynamic_{process.models}", process.models, None, None)
            quote = "" if self.era == "2023" else '"'
            time = voice.event(time, tids[0], "GE", "Init", f"current execute mode is dynamic input, model id = {model.ge_id}, "
                               f"model_name = {quote}{model.name}{quote}.")
        count, total, uses = rng.randint(*self.size["launches"]), rng.randint(0, 2), []
        idle = dict.fromkeys(tids, time)  # when a thread has written its last line
        for number in range(count):
            time += rng.randint(60, 3000) if rng.random() < 0.8 else (end - start) // count
            if process.quiet and process.quiet[0] - SECOND < time < process.quiet[1]:
                time = process.quiet[1] + rng.randint(SECOND // 10, SECOND)
                wrapped = 65535 * rng.randint(1, 3)
                total += wrapped - min(total, rng.randint(0, number)) if rng.random() < 0.7 else wrapped - total % 65535 - 9
            if time > end - SECOND:
                break
            tid = rng.choice(tids)
            time = max(time, idle[tid] + 70)
            use, idle[tid] = self.launch(process, device, stream, tid, time, total, model)
            use.begin, use.end = time, end
            uses.append((use, time))
            total += 1
        voice.stream_freed(end, tids[0], device, stream)
        self.uses += [use for use, _ in uses]
        if uses:
            for use, time in rng.sample(uses, min(len(uses), rng.randint(1, 2 * self.size["overflows"]))):
                delay = rng.choice((rng.randint(30, 3000), rng.randint(3000, 50000)))
                self.overflows.append(Overflow(use, use.operator, NO_ID, NO_ID, time + delay, None))
                if process.reports != "none":
                    voice.overflow_reported(time + delay + rng.randint(20, 2000), device, stream, use.task)

    def launch(self, process, device, stream, tid, time, total, model):
        """One launch, submitted at `time`. The use, and when the thread has written its last line."""
        rng, voice = self.rng, process.voice
        flip, task = total // 65535, total % 65535
        use = Use(process, device, stream, task, self.launched_operator(model), model)
        if task == 0 and flip and self.era in ("8.5", "9.1"):
            voice.flipped(time - 45, tid, device, stream, flip)
        if rng.random() < 0.02:
            failed = Use(process, device, stream, None, self.launched_operator(model), model)
            voice.launched(time - 60, tid, failed, self.printed_task(task))  # no task is sent for it
        voice.launched(time - rng.randint(10, 40), tid, use, self.printed_task(task))
        after = voice.submitted(time, tid, device, stream, task, use.operator.task_type, False, flip)
        if model:
            after = voice.traced(after + rng.randint(0, 8), tid, use, flip, self.number)
        elif process.host_dumps:
            after = voice.dumped_by_host(after + rng.randint(0, 8), tid, use)
        return use, after

    def launched_operator(self, model):
        kind = self.rng.choice(TYPES[:8])
        self.number += 1
        name = f"{kind}_{self.number}" if model else f"aclnn{kind}"
        operator = Operator(self.rng, self.number, name, kind)
        if model and self.era == "2023":
            operator.kernel = f"{model.ge_id}_0_{self.number}_{name}"
        else:
            operator.kernel = self.hashed_kernel(operator)
        return operator


def local_time(time, zone):
    return datetime.datetime(1970, 1, 1) + datetime.timedelta(microseconds=time, minutes=zone)
