// What a test needs beyond Node. Where it is missing the test is skipped with its reason, which the run lists at its
// end. .ci/run sets BCAST_WITHOUT to what that machine cannot have: anything else that is missing there is a failure.
import type { TestOptions } from 'vitest'

/** Everything that may be missing, and what skips the tests that need it. */
const reasons = {
  chromium: 'there is no Chromium; install it, or name it in CHROMIUM_PATH',
  numpy: 'Python has no NumPy; install python3-numpy, or name another interpreter in BCAST_PYTHON',
  'zarr-python': 'Python has no zarr 3 with ml_dtypes; name an interpreter that has them in BCAST_PYTHON',
  moto: 'Python has no moto[server], the S3 server of tests; name an interpreter that has it in BCAST_PYTHON',
  zsh: 'zsh is not installed',
  fish: 'fish is not installed',
  script: 'script, of util-linux, is not installed',
  conformance: 'the ONNX test directories are not at ../shared/conformance',
  crc32: 'this Node has no crc32 of its own',
  models: 'the packages with real models are not installed',
  registry: 'packages cannot be installed from the registry of npm',
  redis: 'redis-server is not installed',
  postgres: 'PostgreSQL is not installed',
  'gnu-as': 'there is no GNU as for x86-64; install binutils',
  'gnu-as-arm64': 'there are no binutils for AArch64; install binutils-aarch64-linux-gnu',
  'qemu-arm64': 'there is no qemu-aarch64-static; install qemu-user-static',
  linux: 'the system is not Linux',
  'machine-code': 'there is no machine code for this processor and system',
  mdwe: 'Linux is older than 6.3, whose processes can deny themselves executable memory',
  memory: 'the machine has less than 16 GiB of memory',
  unix: 'the system is Windows',
} as const

export type Thing = keyof typeof reasons

/** Options of a test or a suite that needs a thing. */
export function needs(thing: Thing, present: boolean): TestOptions {
  if (present) return {}
  const { BCAST_WITHOUT: without } = process.env
  if (without !== undefined && !without.split(' ').includes(thing)) {
    throw new Error(`a test may not be skipped here: ${reasons[thing]}, and BCAST_WITHOUT does not name ${thing}`)
  }
  return { skip: true, meta: { missing: reasons[thing] } }
}
