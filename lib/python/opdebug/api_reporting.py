"""What dumps of API calls show."""

from typing import Optional

from . import native
from .api_documents import ApiReportDocument
from .arguments import Limits, Paths, given_paths
from .interruptible import interruptible


def api_report(
    paths: Paths,
    *,
    threads: int = 0,
    findings_per_verdict: Optional[int] = None,
    limits: Optional[Limits] = None,
) -> ApiReportDocument:
    """Which API calls made the first bad values, by the dumps of msprobe, ptdbg_ascend and MindSpore below the paths, as
    `opdebug api` tells it (opdebug.api_report/1). Ctrl-C ends it at any time.

    threads               0: as many as the machine runs at once; the document does not depend on it
    findings_per_verdict  findings that are kept of each verdict and file; 1000 by default
    limits                names and values: docs/cli.md, "Limits"

    Files and folders that could not be read are in `failures`, dumps that are cut in `diagnostics`. Raises Error when none of
    the paths can be used.
    """
    encoded = given_paths(paths)
    options = native.Options(limits, threads=threads, findings_per_verdict=findings_per_verdict)
    array = native.path_array(encoded)

    def report(stop: object, stop_data: object) -> ApiReportDocument:
        text = native.call_for_text(native.api_report, array, len(encoded), options.pointer, stop, stop_data)
        document: ApiReportDocument = native.parsed(text)
        return document

    return interruptible(report)
