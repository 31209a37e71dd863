"""Long calls that Ctrl-C ends."""

import threading
from typing import Any, Callable, List, TypeVar

from .native import StopFunction

Result = TypeVar("Result")


def interruptible(work: Callable[[Any], Result]) -> Result:
    """Does the work in a thread of its own and waits for it; `work` gets the function that tells it to give up.

    Python handles signals between two of its own instructions in the main thread, so the main thread must not be the one
    that is inside the library. An exception that ends the waiting makes the work give up, and is raised once it has.
    """
    giving_up = threading.Event()
    ended = threading.Event()
    results: List[Result] = []
    problems: List[BaseException] = []
    stop = StopFunction(lambda _: int(giving_up.is_set()))

    def run() -> None:
        try:
            results.append(work(stop))
        except BaseException as problem:  # raised again below
            problems.append(problem)
        finally:
            ended.set()

    # Not a daemon: at the end of the interpreter the library would call a function that is gone.
    thread = threading.Thread(target=run, name="opdebug", daemon=False)
    try:
        thread.start()
        ended.wait()
    finally:
        giving_up.set()
        if thread.is_alive():
            thread.join()
    if problems:
        raise problems.pop()
    return results.pop()
