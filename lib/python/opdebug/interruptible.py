"""Long calls that Ctrl-C ends."""

import ctypes
import threading
from typing import Any, Callable, List, TypeVar

from .native import stop_when_set

Result = TypeVar("Result")

# Gets what the C functions take as `stop` and `stop_data`.
Work = Callable[[Any, Any], Result]


def interruptible(work: Work[Result]) -> Result:
    """Does the work so that Ctrl-C makes it give up.

    Python handles signals between two of its own instructions in the main thread, so the main thread must not be the one
    that is inside the library. Other threads do the work themselves.
    """
    if threading.get_ident() != threading.main_thread().ident:
        return work(None, None)
    return _in_another_thread(work)


_ONE_WAIT = 0.2  # seconds


def _in_another_thread(work: Work[Result]) -> Result:
    """Waits for the work. An exception that ends the waiting makes the work give up, and is raised once it has."""
    # The library reads this number by itself. It must not call into Python: at the end of the interpreter such a call
    # does not return.
    giving_up = ctypes.c_int(0)
    ended = threading.Event()
    results: List[Result] = []
    problems: List[BaseException] = []

    def run() -> None:
        try:
            results.append(work(stop_when_set, ctypes.byref(giving_up)))
        except BaseException as problem:  # raised again below
            problems.append(problem)
        finally:
            ended.set()

    # Not a daemon: the interpreter does not end while the work gives up.
    thread = threading.Thread(target=run, name="opdebug", daemon=False)
    try:
        if not _started(thread):
            return work(None, None)
        # In pieces: a signal that comes just before the wait is seen only between two waits.
        while not ended.wait(_ONE_WAIT):
            pass
    finally:
        giving_up.value = 1
        if thread.is_alive():
            thread.join()
    if problems:
        raise problems.pop()
    return results.pop()


def _started(thread: threading.Thread) -> bool:
    """False where no thread can be started: the system's limit, or Python 3.12 and newer in functions of atexit."""
    try:
        thread.start()
    except RuntimeError:
        if thread.ident is not None:  # a signal handler raised it
            raise
        return False
    return True
