"""Long calls that Ctrl-C and the end of the interpreter end."""

import atexit
import ctypes
import os
import threading
from typing import Any, Callable, List, TypeVar

from .native import stop_when_set

Result = TypeVar("Result")

# Gets what the C functions take as `stop` and `stop_data`.
Work = Callable[[Any, Any], Result]


def interruptible(work: Work[Result]) -> Result:
    """Does the work so that Ctrl-C makes it give up.

    Python handles signals between two of its own instructions in the main thread, so the main thread must not be the one
    that is inside the library. Other threads do the work themselves: only the end of the interpreter interrupts them.
    """
    if threading.get_ident() != threading.main_thread().ident:
        return _until_the_end(work)
    return _in_another_thread(work)


class _Daemons:
    """Calls of daemon threads: the only ones that are left when functions of atexit run."""

    def __init__(self) -> None:
        self.ending = ctypes.c_int(0)
        self.inside = 0
        self.change = threading.Condition()


_daemons = _Daemons()
_ONE_WAIT = 0.2  # seconds
_LONGEST_WAIT = 2.0  # seconds; calls give up within a fraction of one


def _until_the_end(work: Work[Result]) -> Result:
    """Does the work in this thread, which does not come back from it once the interpreter ends, as from any call then."""
    daemons = _daemons
    with daemons.change:
        ending = daemons.ending.value
        daemons.inside += 0 if ending else 1
    if ending:
        _for_ever()
    try:
        return work(stop_when_set, ctypes.byref(daemons.ending))
    finally:
        with daemons.change:
            daemons.inside -= 1
            daemons.change.notify_all()
        if daemons.ending.value:
            _for_ever()


def _for_ever() -> None:
    threading.Event().wait()


def _let_daemons_give_up() -> None:
    """Behind this the process frees what the library's own libraries hold, Boost.Regex its blocks of memory: no thread may
    be in them any more."""
    with _daemons.change:
        _daemons.ending.value = 1
        _daemons.change.wait_for(lambda: _daemons.inside == 0, timeout=_LONGEST_WAIT)


def _without_daemons() -> None:
    """The child of a fork has none of its parent's threads."""
    global _daemons
    _daemons = _Daemons()


atexit.register(_let_daemons_give_up)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_without_daemons)


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
