# Writes arrays as NumPy does, or tells what NumPy reads: `numpy_files.py write FOLDER`, `numpy_files.py read FOLDER`.
# Beside each array lie its elements in row-major order and this machine's byte order, as hexadecimal text in JSON.
import json
import os
import sys

import numpy as np

try:
    from ml_dtypes import bfloat16
except ImportError:
    bfloat16 = None

TYPES = "f2 f4 f8 i1 i2 i4 i8 u1 u2 u4 u8 b1".split()
SHAPES = [(), (5,), (3, 4), (2, 3, 4), (0,), (2, 0, 3)]


def elements(code, shape, random):
    count = int(np.prod(shape, dtype=np.int64))
    if code == "b1":
        return random.integers(0, 2, count).astype("?").reshape(shape)
    dtype = np.dtype("<" + code)
    return np.frombuffer(random.bytes(count * dtype.itemsize), dtype).reshape(shape)


def plain(array):
    native = array.astype(array.dtype.newbyteorder("="), copy=False)
    return native.tobytes("C").hex()


def write(folder):
    random = np.random.default_rng(1)
    told = []

    def tell(spec, array, dtype=None):
        told.append({"spec": spec, "dtype": dtype or array.dtype.newbyteorder("=").name, "shape": array.shape, "hex": plain(array)})

    for code in TYPES:
        for number, shape in enumerate(SHAPES):
            for byteorder in "<>":
                for order in "CF":
                    array = np.array(elements(code, shape, random).astype(byteorder + code), order=order)
                    name = f"{code}-{number}-{'le' if byteorder == '<' else 'be'}-{order}"
                    np.save(os.path.join(folder, name), array)
                    tell(name + ".npy", array)
    array = elements("f4", (3, 4), random)
    for version in [(1, 0), (2, 0), (3, 0)]:
        name = f"version-{version[0]}.npy"
        with open(os.path.join(folder, name), "wb") as file:
            np.lib.format.write_array(file, array, version=version)
        tell(name, array)
    members = {code: elements(code, (3, 5), random) for code in TYPES}
    members["fortran"] = np.asfortranarray(elements("f8", (3, 5), random))
    large = np.arange(200_000, dtype="f4")
    np.savez(os.path.join(folder, "stored.npz"), large=large, **members)
    np.savez_compressed(os.path.join(folder, "deflated.npz"), large=large, **members)
    for archive in ["stored.npz", "deflated.npz"]:
        for name, member in [*members.items(), ("large", large)]:
            tell(f"{archive}:{name}", member)
    if bfloat16 is not None:
        array = np.array([1.5, -0.0, np.inf, 3e38], bfloat16)
        np.save(os.path.join(folder, "bfloat16.npy"), array)
        told.append({"spec": "bfloat16.npy", "dtype": "bfloat16", "shape": array.shape, "hex": array.tobytes().hex()})
    json.dump(told, sys.stdout)


def read(folder):
    told = {}
    for name in sorted(os.listdir(folder)):
        loaded = np.load(os.path.join(folder, name), allow_pickle=False)
        array = loaded if isinstance(loaded, np.ndarray) else loaded[loaded.files[0]]
        told[name] = {"dtype": array.dtype.name, "shape": array.shape, "hex": array.tobytes().hex(), "header": header(folder, name)}
    json.dump(told, sys.stdout)


# The header that NumPy itself would write for the array.
def header(folder, name):
    if not name.endswith(".npy"):
        return None
    array = np.load(os.path.join(folder, name))
    with open(os.path.join(folder, name), "rb") as file:
        start = file.read(10)
        mine = start + file.read(int.from_bytes(start[8:10], "little"))
    from io import BytesIO

    out = BytesIO()
    np.save(out, array)
    return out.getvalue()[: len(mine)] == mine


{"write": write, "read": read}[sys.argv[1]](sys.argv[2])
