# Writes arrays as zarr-python does, or tells what it reads:
#   zarr_files.py write FOLDER     stores v3.zarr and v2.zarr, and what they hold on stdout
#   zarr_files.py fixtures FOLDER  the same in zip archives, with what they hold in told.json; small, for the repository
#   zarr_files.py read FOLDER      what every array below a folder holds
# Elements are told in row-major order and this machine's byte order, as hexadecimal text in JSON.
import json
import os
import sys
import warnings
import zipfile
from dataclasses import dataclass

import ml_dtypes
import numpy as np
import zarr
from zarr.codecs import BloscCodec, BytesCodec, Crc32cCodec, GzipCodec, ShardingCodec, TransposeCodec, ZstdCodec
from zarr.core.dtype import data_type_registry
from zarr.core.dtype.npy.float import BaseFloat

warnings.simplefilter("ignore")
zarr.config.set({"async.concurrency": 1})


# The registry of data types has a place for it, and zarr-python leaves it to others.
@dataclass(frozen=True, kw_only=True)
class BFloat16(BaseFloat):
    dtype_cls = type(np.dtype(ml_dtypes.bfloat16))
    _zarr_v3_name = "bfloat16"
    _zarr_v2_names = ()
    item_size = 2

    def to_native_dtype(self):
        return np.dtype(ml_dtypes.bfloat16)


data_type_registry.register("bfloat16", BFloat16)

TYPES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 bfloat16".split()
SHAPE = (5, 7)
CHUNKS = (2, 3)


def dtype_of(name):
    return np.dtype(ml_dtypes.bfloat16) if name == "bfloat16" else np.dtype(name)


def elements(name, shape, random):
    count = int(np.prod(shape, dtype=np.int64))
    dtype = dtype_of(name)
    if name == "bool":
        return random.integers(0, 2, count).astype("?").reshape(shape)
    return np.frombuffer(random.bytes(count * dtype.itemsize), dtype).reshape(shape)


def told(spec, array):
    name = array.dtype.name
    if name != "bfloat16":
        array = array.astype(array.dtype.newbyteorder("="), copy=False)
    return {"spec": spec, "dtype": name, "shape": list(np.shape(array)), "hex": array.tobytes("C").hex()}


BLOSC = [
    ("lz4", "noshuffle"),
    ("lz4", "shuffle"),
    ("zstd", "bitshuffle"),
    ("zlib", "shuffle"),
    ("blosclz", "shuffle"),
    ("lz4hc", "bitshuffle"),
]

CHAINS = {
    "raw": [BytesCodec()],
    "big": [BytesCodec(endian="big")],
    "gzip": [BytesCodec(), GzipCodec(level=1)],
    "zstd-checksum": [BytesCodec(), ZstdCodec(level=1, checksum=True)],
    "crc": [BytesCodec(), ZstdCodec(level=1), Crc32cCodec()],
    "turned": [TransposeCodec(order=(1, 0)), BytesCodec(endian="big"), Crc32cCodec()],
    **{
        f"blosc-{cname}-{shuffle}": [BytesCodec(), BloscCodec(cname=cname, shuffle=shuffle, typesize=8)]
        for cname, shuffle in BLOSC
    },
    **{
        f"shards-{place}": [
            ShardingCodec(
                chunk_shape=CHUNKS,
                codecs=[TransposeCodec(order=(1, 0)), BytesCodec(), GzipCodec(level=1)],
                index_codecs=[BytesCodec(endian="little" if place == "end" else "big"), Crc32cCodec()],
                index_location=place,
            )
        ]
        for place in ("start", "end")
    },
    "shards-raw": [ShardingCodec(chunk_shape=CHUNKS, codecs=[BytesCodec()])],
    "shards-turned": [TransposeCodec(order=(1, 0)), ShardingCodec(chunk_shape=(3, 2), codecs=[BytesCodec(), Crc32cCodec()])],
}

FILLS = {
    "float32": ["NaN", "Infinity", "-Infinity", 1.5],
    "float64": ["NaN", 1e300],
    "float16": [0.1, "Infinity"],
    "bfloat16": [1.5, "NaN"],
    "int64": [-(2**63), 2**53 + 1],
    "uint64": [2**64 - 1],
    "uint8": [255],
    "bool": [True],
}


def chain(codecs):
    filters = [codec for codec in codecs if isinstance(codec, TransposeCodec)]
    serializer, *compressors = codecs[len(filters) :]
    return {"filters": filters, "serializer": serializer, "compressors": compressors}


def write_v3(store, random):
    found = []

    def put(name, array, **options):
        made = zarr.create_array(store=store, name=name, shape=array.shape, dtype=array.dtype, **options)
        made[...] = array
        found.append(told(name, array))

    zarr.create_group(store=store)
    for name in TYPES:
        put(f"types/{name}", elements(name, SHAPE, random), chunks=CHUNKS)
    for name, codecs in CHAINS.items():
        size = (6, 6) if "shards" in name else CHUNKS
        put(f"codecs/{name}", elements("float64", SHAPE, random), chunks=size, **chain(codecs))
        if "blosc" not in name:
            put(f"narrow/{name}", elements("uint16", SHAPE, random), chunks=size, **chain(codecs))
    for shape, chunks in [((), ()), ((0, 3), (1, 2)), ((9,), (4,)), ((2, 3, 4), (2, 2, 3))]:
        put(f"shapes/{len(shape)}-{len(found)}", elements("int32", shape, random), chunks=chunks)
    put("keys/v2", elements("int32", SHAPE, random), chunks=CHUNKS, chunk_key_encoding={"name": "v2", "separator": "."})
    put("keys/dots", elements("int32", SHAPE, random), chunks=CHUNKS, chunk_key_encoding={"name": "default", "separator": "."})
    for name, fills in FILLS.items():
        for number, fill in enumerate(fills):
            value = dtype_of(name).type(float(fill) if isinstance(fill, str) else fill)
            made = zarr.create_array(
                store=store, name=f"fills/{name}-{number}", shape=SHAPE, chunks=CHUNKS, dtype=dtype_of(name), fill_value=value
            )
            made[2:4, 3:6] = elements(name, (2, 3), random)
            found.append(told(f"fills/{name}-{number}", made[...]))
    sparse = zarr.create_array(
        store=store, name="sparse", shape=(8, 9), chunks=(2, 3), shards=(4, 9), dtype="int16", fill_value=-7
    )
    sparse[0:2, 3:6] = 5
    found.append(told("sparse", sparse[...]))
    return [{**each, "spec": f"v3:{each['spec']}"} for each in found]


def write_v2(store, random):
    from numcodecs import LZ4, Blosc, GZip, Zlib, Zstd

    found = []
    zarr.create_group(store=store, zarr_format=2)
    compressors = {"none": None, "zstd": Zstd(1), "gzip": GZip(1), "zlib": Zlib(1), "lz4": LZ4(), "blosc": Blosc("lz4", 5, 2)}
    cases = [(f"codecs/{name}-{order}", "<f8", name, order, "/", None) for name in compressors for order in "CF"]
    for code in "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split():
        for byteorder in "<>":
            if code[1] != "1" or byteorder == "<":
                order = "|" if code[1] == "1" else byteorder
                cases.append((f"types/{'big-' if byteorder == '>' else ''}{code}", order + code, "zstd", "C", ".", 0))
    cases += [("fills/nan", "<f4", "none", "C", ".", float("nan")), ("fills/large", ">u8", "none", "F", "/", 2**64 - 1)]
    for name, code, compressor, order, separator, fill in cases:
        array = elements(np.dtype(code).newbyteorder("=").name, SHAPE, random).astype(code)
        made = zarr.create_array(
            store=store, name=name, shape=SHAPE, chunks=CHUNKS, dtype=code, zarr_format=2, order=order, filters=None,
            compressors=compressors[compressor], fill_value=fill, chunk_key_encoding={"name": "v2", "separator": separator},
        )
        if name.startswith("fills"):
            made[2:4, 3:6] = array[2:4, 3:6]
        else:
            made[...] = array
        found.append(told(f"v2:{name}", made[...]))
    return found


def write(folder, random, store):
    return write_v3(store(folder, "v3"), random) + write_v2(store(folder, "v2"), random)


def in_folder(folder, name):
    return zarr.storage.LocalStore(os.path.join(folder, f"{name}.zarr"))


def fixtures(folder):
    opened = []

    def in_archive(folder, name):
        method = zipfile.ZIP_DEFLATED if name == "v3" else zipfile.ZIP_STORED
        opened.append(zarr.storage.ZipStore(os.path.join(folder, f"{name}.zarr.zip"), mode="w", compression=method))
        return opened[-1]

    found = write(folder, np.random.default_rng(1), in_archive)
    for store in opened:
        store.close()
    with open(os.path.join(folder, "told.json"), "w") as file:
        json.dump(found, file, indent=0)
        file.write("\n")


def read(folder):
    found = []
    for place, _, files in sorted(os.walk(folder)):
        if "zarr.json" in files:
            node = zarr.open(place, mode="r")
            if isinstance(node, zarr.Array):
                found.append(told(os.path.relpath(place, folder), node[...]))
    return found


if __name__ == "__main__":
    task, folder = sys.argv[1:]
    if task == "fixtures":
        fixtures(folder)
    else:
        print(json.dumps(read(folder) if task == "read" else write(folder, np.random.default_rng(2), in_folder)))
