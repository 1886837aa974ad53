// The census for programs: plain data that census.schema.json describes.
import type { Census } from './census.ts'

/** A census as JSON; its schema is `@bcast/onnx/census.schema.json`. */
export interface CensusJson extends Census {
  readonly version: 1
}

/** The census as plain data, for JSON.stringify. */
export const censusJson = (census: Census): CensusJson => ({ version: 1, ...census })
