#!/usr/bin/env python3
"""Decodes many dumps at once: in threads of this process, or with Dask on as many machines as it has workers.

    many_dumps.py [--dask | --scheduler ADDRESS] [--logs LOG]... FOLDER...

Prints a line of JSON for each dump: its record document, or the error of a dump that could not be decoded. --dask starts workers
on this machine, --scheduler uses those of a cluster; they need the module `opdebug` and the same paths.
"""

import argparse
import concurrent.futures
import functools
import json
import sys

import opdebug

def explain(path, logs=None):
    """The record document of a dump. An error is a result too, so that one bad file does not end the work on the others."""
    try:
        return opdebug.decode(path, logs=logs)
    except opdebug.Error as error:
        return {"file": path, "error": {"code": error.code, "message": error.message, "offset": error.offset}}

def explain_in_threads(paths, log_paths):
    """Threads are enough: the interpreter is free while a dump is decoded. All of them share the logs."""
    logs = opdebug.read_logs(log_paths, wanted=paths) if log_paths else None
    with concurrent.futures.ThreadPoolExecutor() as pool:
        return list(pool.map(functools.partial(explain, logs=logs), paths))

def explain_with_dask(client, paths, log_paths):
    """Each worker process reads the logs once. Where they are large, let `opdebug index` make a map of them first and give that."""
    from distributed import WorkerPlugin, get_worker

    class ReadLogs(WorkerPlugin):
        def setup(self, worker):
            worker.overflow_logs = opdebug.read_logs(log_paths) if log_paths else None

    def explain_on_worker(path):
        return explain(path, get_worker().overflow_logs)

    register = getattr(client, "register_plugin", None) or client.register_worker_plugin  # before 2023.9
    register(ReadLogs())
    return client.gather(client.map(explain_on_worker, paths))

def main():
    parser = argparse.ArgumentParser(description="Decodes many dumps at once.")
    engine = parser.add_mutually_exclusive_group()
    engine.add_argument("--dask", action="store_true", help="with Dask workers on this machine")
    engine.add_argument("--scheduler", metavar="ADDRESS", help="with the workers of this Dask scheduler")
    parser.add_argument("--logs", action="append", default=[], metavar="LOG", help="logs, folders of logs, saved maps")
    parser.add_argument("folders", nargs="+", metavar="FOLDER")
    arguments = parser.parse_args()

    try:
        paths = opdebug.find(arguments.folders)
    except opdebug.Error as error:
        sys.exit(f"many_dumps: {error}")
    if arguments.dask or arguments.scheduler:
        from distributed import Client

        # Without an address a client starts a cluster on this machine, and ends it.
        options = {"dashboard_address": None} if arguments.dask else {"address": arguments.scheduler}
        with Client(**options) as client:
            results = explain_with_dask(client, paths, arguments.logs)
    else:
        results = explain_in_threads(paths, arguments.logs)

    for result in results:
        print(json.dumps(result))
    return 1 if any("error" in result for result in results) else 0

if __name__ == "__main__":
    sys.exit(main())
