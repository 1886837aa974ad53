"""The peers of `bcast eval` over Zarr arrays: one evaluation in a process of its own, as their users write it.

make FILE: makes the arrays that the JSON file describes, in one group. run FILE PEER: evaluates, and writes the peak
resident size in KiB beside the result."""

import json
import re
import sys


def question(file):
    with open(file) as text:
        return json.load(text)


def made(zarr, asked, path):
    compressors = None if asked["codec"] == "none" else "auto"
    return zarr.create_array(path, shape=asked["shape"], chunks=asked["chunks"], dtype="float32", compressors=compressors)


def make(asked):
    import numpy as np
    import zarr

    random = np.random.default_rng(1)
    group = zarr.create_group(asked["inputs"])
    for name, (shape, chunks, dims) in asked["arrays"].items():
        compressors = None if asked["codec"] == "none" else "auto"
        array = group.create_array(
            name, shape=shape, chunks=chunks, dtype="float32", compressors=compressors, dimension_names=dims
        )
        rows = max(1, (1 << 26) // max(1, int(np.prod(shape[1:]))))
        for first in range(0, shape[0], rows):
            part = (min(rows, shape[0] - first), *shape[1:])
            array[first : first + part[0]] = random.random(part, dtype=np.float32) + np.float32(0.5)


def with_numpy(asked):
    import zarr

    values = {name: zarr.open(asked["inputs"], mode="r")[name][...] for name in asked["arrays"]}
    made(zarr, asked, asked["output"])[...] = eval(asked["expression"], values)


def with_dask(asked):
    import dask
    import dask.array as da
    import zarr

    values = {name: da.from_zarr(asked["inputs"], component=name) for name in asked["arrays"]}
    result = eval(asked["expression"], values).rechunk(asked["chunks"])
    with dask.config.set(scheduler="threads"):
        da.store(result, made(zarr, asked, asked["output"]), lock=False)


def with_cubed(asked):
    import cubed
    from cubed import Spec

    spec = Spec(work_dir=asked["scratch"], allowed_mem="4GB", executor_name="threads")
    values = {name: cubed.from_zarr(asked["inputs"], path=name, spec=spec) for name in asked["arrays"]}
    result = eval(asked["expression"], values).rechunk(tuple(asked["chunks"]))
    cubed.to_zarr(result, asked["output"])


def with_xarray(asked):
    import xarray

    values = xarray.open_zarr(asked["inputs"], chunks={}, consolidated=False)
    # Its axes meet by name, so those of size 1 are not needed.
    names = {name: values[name].squeeze(drop=True) for name in asked["arrays"]}
    result = eval(asked["expression"], names).transpose(*asked["dims"])
    result = result.chunk(dict(zip(asked["dims"], asked["chunks"])))
    result.encoding = {}
    encoding = {"y": {"chunks": tuple(asked["chunks"]), **({"compressors": None} if asked["codec"] == "none" else {})}}
    result.to_dataset(name="y").to_zarr(asked["output"], encoding=encoding, consolidated=False, zarr_format=3)


def peak():
    with open("/proc/self/status") as status:
        return re.search(r"VmHWM:\s*(\d+)", status.read())[1]


if __name__ == "__main__":
    asked = question(sys.argv[2])
    if sys.argv[1] == "make":
        make(asked)
    else:
        {"numpy": with_numpy, "dask": with_dask, "cubed": with_cubed, "xarray": with_xarray}[sys.argv[3]](asked)
        with open(asked["output"] + ".peak", "w") as text:
            text.write(peak())
