// What every kind of code says where it has none.

/** Said where there is no machine code for an instruction; another backend computes it then. */
export class Unsupported extends Error {
  override name = 'Unsupported'
}
