"""Measures tensors with NumPy, as an independent judge.

Reads lines "FILE OFFSET COUNT DTYPE NPY": COUNT elements of DTYPE at OFFSET of FILE, and a .npy file that must hold the
same bytes. Prints a line "MAX MIN MEAN NAN POS_INF NEG_INF SATURATED SUBNORMAL ZERO" for each; "-" is none. Exit status 3
when NumPy is not installed."""
import sys

try:
    import numpy as np
except ImportError:
    sys.exit(3)


def count(mask):
    return int(np.count_nonzero(mask))


def measure(a):
    real = a.view(a.real.dtype).reshape(len(a), 2 if a.dtype.kind == "c" else 1)
    if real.dtype.kind == "f":
        limits = np.finfo(real.dtype)
        nan = np.isnan(real).any(axis=1)
        infinite = np.isinf(real).any(axis=1) & ~nan
        first = np.where(np.isinf(real[:, 0]), real[:, 0], real[:, -1])
        finite = real[~nan & ~infinite]
        saturated = (np.abs(finite) == limits.max).any(axis=1)
        subnormal = ((finite != 0) & (np.abs(finite) < limits.tiny)).any(axis=1)
    else:
        nan = infinite = np.zeros(len(a), dtype=bool)
        first = np.zeros(len(a))
        finite = real
        saturated = subnormal = nan
        if real.dtype.kind in "iu":
            limits = np.iinfo(real.dtype)
            at_end = (real == limits.max) | ((real == limits.min) if real.dtype.kind == "i" else False)
            saturated = at_end.any(axis=1)
    if finite.size == 0:
        ends = ["-", "-", "-"]
    elif real.dtype.kind == "f":
        mean = np.mean(finite.astype(np.longdouble))
        ends = [repr(float(finite.max())), repr(float(finite.min())), repr(float(mean))]
    else:
        total = sum(int(x) for x in finite.ravel())
        ends = [str(int(finite.max())), str(int(finite.min())), repr(total / finite.size)]
    return ends + [
        count(nan),
        count(infinite & (first > 0)),
        count(infinite & (first < 0)),
        count(saturated),
        count(subnormal),
        count((finite == 0).all(axis=1)),
    ]


for line in sys.stdin:
    path, offset, elements, dtype, npy = line.split()
    raw = np.fromfile(path, dtype=np.dtype(dtype), offset=int(offset), count=int(elements))
    if dtype == "bool":
        raw = raw.view(np.uint8) != 0
    loaded = np.load(npy)
    if loaded.dtype != raw.dtype or loaded.tobytes() != raw.tobytes():
        sys.exit(f"{npy}: {loaded.dtype} {loaded.shape} is not what {path} holds")
    with np.errstate(all="ignore"):
        print(*measure(raw))
