// The element-wise operators, one constant each. Whoever wants all of them takes this module; a name that stands alone
// brings its own row and no other.
export * from './activations.ts'
export * from './arithmetic.ts'
export * from './comparison.ts'
export * from './logic.ts'
export * from './selection.ts'
export * from './unary.ts'
export * from './variadic.ts'
