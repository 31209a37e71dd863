"""The log lines of one process, in the words of one era. The formats are those of the runtime's and GE's sources and real logs.

Eras: 2020, 2021, 2023 (closed runtime, known from logs), 8.5, 9.1 (stars), 950 (no task id in launch lines).
"""

ERAS = ("2020", "2021", "2023", "8.5", "9.1", "950")
TASK_NAMES = {0: "KERNEL_AICORE", 1: "KERNEL_AICPU", 2: "EVENT_RECORD", 3: "STREAM_WAIT_EVENT", 5: "MEMCPY",
              14: "NOTIFY_WAIT", 52: "FFTS_PLUS", 66: "KERNEL_AIVEC", 67: "MODEL_END_GRAPH"}
NO_ID = 65535


class Line:
    """One line of a process: `time` is true time in microseconds; `stream` and `task` are for whoever looks at a case."""
    __slots__ = ("time", "folder", "device", "level", "module", "tid", "func", "text", "stream", "task", "fate")

    def __init__(self, time, folder, device, level, module, tid, func, text, stream, task):
        self.time, self.folder, self.device = time, folder, device
        self.level, self.module, self.tid, self.func, self.text = level, module, tid, func, text
        self.stream, self.task = stream, task
        self.fate = "not written"


class Voice:
    """Writes the lines of one process. Each method returns the time after its lines."""

    def __init__(self, process, rng):
        self.process, self.era, self.rng = process, process.era, rng
        self.lines = []
        self.old = self.era in ("2020", "2021")
        self.closed = self.old or self.era == "2023"
        self.event_level = "EVENT" if self.closed else "INFO"

    def sender(self, device):
        """The device's thread that prints what it has sent, up to 2021."""
        return self.process.pid + 100 * device + 13

    def add(self, time, tid, module, func, text, stream=None, task=None, level="INFO", folder="debug", device=None):
        self.lines.append(Line(time, folder, device, level, module, tid, func, text, stream, task))
        return time + self.rng.randint(3, 40)

    def event(self, time, tid, module, func, text, stream=None):
        """EVENT lines go to the run log; GE repeats its own in the debug log."""
        self.add(time, tid, module, func, text, stream, level=self.event_level, folder="run")
        if module == "GE":
            self.add(time, tid, module, func, text, stream)
        return time + self.rng.randint(3, 40)

    # Devices, streams, models

    def device_opened(self, time, tid, device):
        time = self.event(time, tid, "RUNTIME", "GetVisibleDevices", "ASCEND_RT_VISIBLE_DEVICES param was not set")
        if self.old:
            return time
        driver = self.process.driver_id(device)
        return self.add(time, tid, "RUNTIME", "ChgUserDevIdToDeviceId",
                        f"devId={device}, drv devId={driver}, isDeviceSetResetOp=1")

    def stream_opened(self, time, tid, device, stream, sink):
        driver = self.process.driver_id(device)
        if self.era == "2020":
            return self.add(time, tid, "RUNTIME", "StreamIdAlloc",
                            f"StreamIdAlloc stream_id={stream}, device_id={driver}, tsId=0.", stream)
        if self.era == "2021":
            return self.add(time, tid, "RUNTIME", "StreamIdAlloc",
                            f"Stream id alloc success, stream_id={stream}, device_id={driver}, tsId=0!", stream)
        return self.add(time, tid, "RUNTIME", "Setup",
                        f"stream setup end, stream_id={stream}, IsTaskSink={sink}, sqId={stream + 5}, cqId={stream + 6}, "
                        f"deviceId={driver}{'' if self.era == '2023' else ','} streamResId=4294967295", stream)

    def stream_freed(self, time, tid, device, stream):
        return self.add(time, tid, "RUNTIME", "StreamIdFree",
                        f"Stream id free success, stream_id={stream}, device_id={self.process.driver_id(device)}, tsId=0",
                        stream)

    def model_created(self, time, tid, model):
        word = "ok" if self.closed else "success"
        pointer = f"model={hex(0xfffd780067e0 + 64 * model.runtime_id)}, " if self.old else ""
        return self.add(time, tid, "RUNTIME", "ModelCreate", f"model create {word}, {pointer}modelId={model.runtime_id}")

    def stream_of_model(self, time, tid, index, model, stream):
        """GE's line on the streams of its model."""
        if self.old:
            return self.add(time, tid, "GE", "Init", f"Logical stream index:{index}, stream:0x2c50560, rtstream: {stream}.",
                            stream)
        if self.era == "2023":
            text = f"Logical stream index:{index}, rtstream: {stream}, model: {model.ge_id}."
        else:
            text = f"Logical stream index: {index}, rtstream: {stream}, model: {model.ge_id}, stream flag: 1."
        return self.add(time, tid, "GE", "InitRuntimeResource", text, stream)

    def bound(self, time, tid, model, stream):
        if self.old:
            return self.add(time, tid, "RUNTIME", "ModelBindStream",
                            f"model bind stream, model_id={model.runtime_id}, stream_id={stream}, flag=0", stream)
        if self.era == "2023":
            return self.add(time, tid, "RUNTIME", "ModelBindStream",
                            f"model_id={model.runtime_id}, stream_id={stream}, flag=0.", stream)
        return self.event(time, tid, "RUNTIME", "ModelBindStream", f"model_id={model.runtime_id}, stream_id={stream}, "
                          f"model_name={model.name}, flag=0, group_id=0.", stream)

    def unbound(self, time, tid, model, stream):
        if self.closed:
            prefix = "model unbind stream, " if self.old else ""
            time = self.add(time, tid, "RUNTIME", "ModelUnbindStream",
                            f"{prefix}model_id={model.runtime_id}, stream_id={stream}, ", stream)
        else:
            time = self.event(time, tid, "RUNTIME", "ModelUnbindStream", f"model_id={model.runtime_id}, "
                              f"stream_id={stream}, model_name={model.name}, group_id=0.", stream)
        return self.add(time, tid, "RUNTIME", "UnbindStream",
                        f"unbind stream end, stream_id={stream}, model_id={model.runtime_id}.", stream)

    def model_destroyed(self, time, tid, model):
        key = "model id" if self.era == "2023" else "model_id"
        return time if self.old else self.add(time, tid, "RUNTIME", "ModelDestroy", f"{key}={model.runtime_id}.")

    def model_loading(self, time, tid, model):
        if self.old:
            return self.add(time, tid, "ASCENDCL", "ModelLoadFromFileWithMem",
                            f" start to execute ModelLoadFromFileWithMem, modelPath[../model/{model.name}.om], "
                            "workSize[4523008], weightSize[51180544], priority[0]")
        return self.add(time, tid, "GE", "InitModel", f"Known node:0, refreshable:0, model_id:{model.ge_id}, "
                        f"graph_id:{model.graph_id}, graph_name:{model.name}.")

    def model_loaded(self, time, tid, model, device, end_stream, end_task):
        time = self.add(time, tid, "GE", "SetEndGraphIdToAicpu", f"Add end_graph_info to aicpu, model_name is {model.name}, "
                        f"task_id is {end_task}, stream_id is {end_stream}", end_stream, end_task)
        if self.old:
            return self.add(time, tid, "ASCENDCL", "aclmdlLoadFromFileWithMem", f" Load model from file[../model/{model.name}"
                            f".om] with memory success, modelId[{model.ge_id}]")
        if self.era != "2023":
            time = self.event(time, tid, "GE", "LogModelMemory", f"model_metrics:name={model.name}, alloc_dev_mem=4523008 B, "
                              f"shared_dev_mem=0 B, device_id={device}, rts_model_id={model.runtime_id}")
        time = self.event(time, tid, "GE", "Init", "[GEPERFTRACE] The time cost of GraphLoader::DavinciModel::Init is [3121] "
                          f"micro seconds, name[{model.name}]model_id[{model.ge_id}]graph_id[{model.graph_id}].")
        return self.add(time, tid, "GE", "LoadModelOnline", f"Load model online success, model_id:{model.ge_id}.")

    def debug_registered(self, time, tid, model):
        """The task that collects the model's overflows; its ids are those of the overflow dump's name in old versions."""
        if self.closed:
            return time
        stream, task = model.debug_task.stream, model.debug_task.task
        time = self.add(time, tid, "RUNTIME", "DebugRegister",
                        f"model_id={model.runtime_id}, flag=1, streamId={stream}, taskId={task}", stream, task)
        return self.add(time, tid, "GE", "SetOpDebugIdToAicpu",
                        f"add op_debug_info to aicpu, task_id is {task}, stream_id is {stream}.", stream, task)

    def model_unloading(self, time, tid, model):
        return self.add(time, tid, "GE", "UnloadModel", f"UnLoad model begin, model id:{model.ge_id}.")

    def model_executed(self, time, tid, model, device, stream, task):
        """The stream is the one that the model is executed on, not one of its own."""
        if self.old:
            return self.add(time, tid, "RUNTIME", "ModelExecute",
                            f"model execute  model_id={model.runtime_id}, stream_id={stream}, flag=0", stream)
        if self.era == "2023":
            time = self.add(time, tid, "GE", "Run", f"rtModelExecute start, model id:{model.ge_id}.")
            return self.add(time, tid, "RUNTIME", "ModelExecute",
                            f"model_id={model.runtime_id}, stream_id={stream}, flag=0.", stream)
        return self.add(time, tid, "RUNTIME", "ModelExecuteTaskInit",
                        f"ModelExecuteTask, device_id={self.process.driver_id(device)}, stream_id={stream}, task_id={task}, "
                        f"model_id={model.runtime_id}.", stream, task)

    # Tasks

    def launched(self, time, tid, use, number):
        """The line of a launch of an era in which the launching thread prints it."""
        operator, driver = use.operator, self.process.driver_id(use.device)
        ids, kernel = f"stream_id={use.stream}, task_id={number}, ", operator.kernel
        kind = "AICORE" if operator.task_type == 0 else "AIVEC"
        address = hex(0x124000000000 + 4096 * (abs(operator.number) % 5000))
        if self.era == "2023":
            func, text = "LaunchKernel", f"{ids}kernelType=0, kernel_name={kernel}, arg_size=32"
        elif self.era == "8.5":
            func = "LaunchKernelWithHandle"
            text = (f"kernel info : device_id={driver}, {ids}kernelType=0, kernel_name={kernel}, arg_size=64, mixType=0, "
                    f"taskRation=0, funcType=0, addr1={address}, addr2=0x0, flag=2, kernelFlag=0x2, qos=0, partId=0, "
                    "schemMode=0, infoAddr=(nil), atomicIndex=0.")
        elif self.era == "9.1":
            func = "StreamLaunchKernelWithHandle"
            text = (f"kernel info : device_id={driver}, {ids}kernelAttrType={kind}, kernel_name={kernel}, arg_size=64, "
                    f"coreDim=8, mixType=0, taskRation=0, funcType=0, addr1={address}, addr2=0x0, kernelFlag=0x2, qos=0, "
                    "partId=0, schemMode=0, infoAddr=(nil), atomicIndex=0, isNoNeedH2DCopy=0, isUpdateSinkSqe=0.")
        else:
            func = "StreamLaunchKernelWithHandle"
            text = (f"stream_id={use.stream}, kernel_name={kernel}, kernelAttrType={kind}, funcType=0, arg_size=64, "
                    "coreDim=8, mixType=0, taskRation=0.")
        return self.add(time, tid, "RUNTIME", func, text, use.stream, use.task)

    def submitted(self, time, tid, device, stream, task, kind, persistent, flip=0):
        """The line with the final task id."""
        name, driver = TASK_NAMES[kind], self.process.driver_id(device)
        word = "persistent" if persistent else "public"
        if self.old:
            comma = "," if self.era == "2020" else ", "
            return self.add(time, self.sender(device), "RUNTIME", "AddTaskToStream",
                            f"recorded {word} task to stream, stream_id={stream}, task_id={task}, task_type={kind}{comma}"
                            f"head=0, tail={task + 1}, delay recycle task num={task}", stream, task)
        if self.era == "2023":
            time = self.add(time, tid, "RUNTIME", "SubmitTask", f"stream_id={stream}, task_id={task}, task_type={kind} ({name})",
                            stream, task)
            end = f", delay recycle task num={task}." if persistent else ""
            return self.add(time, tid, "RUNTIME", "AddTaskToStream" if persistent else "AddTaskToList",
                            f"{word} task, stream_id={stream}, task_id={task}, task_type={kind} ({name}), head={task % 1024}, "
                            f"tail={task % 1024 + 1}{end}", stream, task)
        if self.era == "950":
            time = self.add(time, tid, "RUNTIME", "DavidSendTask", f"device_id={driver}, ts_id=0, sq_id={stream + 5}, "
                            f"stream_id={stream}, task_id={task}, flip_num={flip}, task_sn={flip << 16 | task}, "
                            f"task_type={kind}({name})", stream, task)
            word = "model" if persistent else "single-operator"
            return self.add(time, tid, "RUNTIME", "StarsAddTaskToStream", f"{word} stream, stream_id={stream}, task_id={task}, "
                            f"task_sn={flip << 16 | task}, type={kind}({name}), sqe_num=1, device_id={driver}", stream, task)
        bind = 1 if persistent else 0
        return self.add(time, tid, "RUNTIME", "AllocTaskAndSendStars",
                        f"device_id={driver}, ts_id=0, sq_id={stream + 5}, cq_id={stream + 6}, stream_id={stream}, "
                        f"task_id={task}, task_type={kind}({name}), sendSqeNum=1, isSupportASyncRecycle=1, isNeedPostProc=0, "
                        f"davinciHead=0, davinciTail=1, taskHead=0, taskTail=1, bindFlag={bind}, head=0, tail=1, "
                        "delay recycle num=0.", stream, task)

    def sent_kernel(self, time, use, launched):
        """Up to 2021 another thread prints kernel and ids after it has sent the task."""
        operator = use.operator
        return self.add(time, self.sender(use.device), "RUNTIME", "KernelTaskEventLogProc",
                        f"device_id={self.process.driver_id(use.device)}, stream_id={use.stream}, task_id={use.task}, "
                        f"kernel_name={operator.kernel}, devfunc_name = te_{operator.type.lower()}_{operator.digest[:16]}_"
                        f"1__kernel0 task_type=AiCoreKernel, task_launched_num={launched}", use.stream, use.task)

    def task_of_model(self, time, tid, model, stream, task):
        return self.add(time, tid, "RUNTIME", "ModelGetTaskId",
                        f"model_id={model.runtime_id}, get stream_id={stream} task_id={task}", stream, task)

    def flipped(self, time, tid, device, stream, flip):
        return self.add(time, tid, "RUNTIME", "AllocAndSendFlipTask", f"SendFlipTask dev_id={self.process.driver_id(device)}, "
                        f"stream_id={stream}, task_id=0, flipNum={flip}", stream, 0)

    # Names of operators

    def node_saved(self, time, tid, use, name, context=0xffffffff, thread=0xffffffff):
        text = f"Save dump task {name}, task id: {use.task}, stream id: {use.stream}"
        if not self.closed:
            text += f", context id: {context}, thread id: {thread}, is_op_debug: 1."
        time = self.add(time, tid, "GE", "SaveDumpTask", text, use.stream, use.task)
        if self.era == "2023":
            time = self.add(time, tid, "GE", "SaveOpDescInfo", f"[Save][OpExceptionInfo] Start to save dump op [{name}] info of "
                            f"task_id: {use.task}, stream_id: {use.stream}", use.stream, use.task)
        return time

    def node_distributed(self, time, tid, use, name):
        if self.closed:
            return time
        if use.contexts:
            text = (f"FftsPlusTaskInfo Distribute Success, node_name:[{name}], subgraph_name:[{name}_graph] "
                    f"stream_id:{use.stream}, task_id:{use.task}.")
        else:
            text = (f"KernelTaskInfo Distribute Success, op: {name}, taskid: {use.task}, blockdim: 8, streamid: {use.stream}, "
                    "stream: 0xaaaac3c0, dump_flag: 0")
        return self.add(time, tid, "GE", "Distribute", text, use.stream, use.task)

    def traced(self, time, tid, use, flip, number):
        call = "LaunchKernelWithFlag" if self.era == "2023" else "LaunchKernelWithHandle"
        return self.add(time, tid, "GE", "OnExecuteEvent", f"[KernelTrace][{call}_{use.operator.name}_{number}]"
                        f"stream_id={use.stream}, task_id={use.task}, flip_num={flip}, flip_task_id={flip << 16 | use.task}",
                        use.stream, use.task)

    def dumped_by_host(self, time, tid, use):
        """adump's two lines: the name, then the ids."""
        operator = use.operator
        time = self.add(time, tid, "IDEDD", "", f"Start to launch dump with cfg for op {operator.name}[{operator.type}], "
                        "inputSize(2), outputSize(1).", use.stream, use.task)
        return self.add(time, tid, "IDEDD", "", f"Task id is {use.task}, stream id is {use.stream}", use.stream, use.task)

    # What device and runtime report of dumps

    def map_of_device(self, time, device, model, uses, base):
        """The device's table of operators; its times are those of the device."""
        def write(text, stream=None, task=None):
            self.add(time, self.process.pid + 6, "CCECPU", "PreProcessOpMappingInfo", text, stream, task, folder="device",
                     device=device)
        identity = model.ge_id if self.old else model.runtime_id
        write(f"Base path[{base}], has model name[1], model name[{model.name}], has model id[1], model id[{identity}].")
        for use in uses:
            for context, _, operator in use.contexts or [(NO_ID, NO_ID, use.operator)]:
                ids = f"stream id:{use.stream}, task id:{use.task}" + \
                    ("]," if self.old else f", context id:{context}]")
                write(f"[{ids} op name[{operator.name}], op type[{operator.type}]", use.stream, use.task)
                time += self.rng.randint(3, 40)

    def dumped_by_device(self, time, device, use, name, context, thread):
        extra, level = "" if self.old else f", context id={context}, thread id={thread}", self.event_level
        self.add(time, self.process.pid + 8, "CCECPU", "DumpOpInfo", f"start to dump op info, stream id={use.stream}, task id="
                 f"{use.task}{extra}, op name={name}", use.stream, use.task, level, "device-run", device)

    def overflow_reported(self, time, device, stream, task):
        tid = self.process.pid + 100 * device + 14  # the device's thread that receives reports
        if self.closed:
            return self.add(time, tid, "RUNTIME", "ProcessOverFlowReport",
                            f"sq_id={stream + 5}, stream_id={stream}, task_id={task}, sq_head=1.", stream, task)
        ids = f"stream_id={stream}, pos={task}" if self.era == "950" else f"stream_id={stream}, task_id={task}"
        return self.add(time, tid, "RUNTIME", "ProcLogicCqReport",
                        f"CQE warning, device_id={self.process.driver_id(device)}, {ids}, sqe_type=0(ffts), "
                        "errType=0x1(task exception), sqSwStatus=0x2f", stream, task, level="WARNING")
