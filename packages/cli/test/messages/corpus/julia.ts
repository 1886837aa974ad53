import type { Entry } from './entry.ts'

export const juliaMessages: readonly Entry[] = [
  {
    source: 'Julia 1.12: ones(8) .+ ones(10)',
    text: 'DimensionMismatch: arrays could not be broadcast to a common size: a has axes Base.OneTo(8) and b has axes Base.OneTo(10)',
    form: 'sizes',
    sizes: [8, 10],
  },
  {
    source: 'Julia 1.10: hcat(ones(3), ones(4))',
    text: 'ERROR: DimensionMismatch: mismatch in dimension 1 (expected 3 got 4)',
    form: 'concatenation',
    about: 'concatenation',
  },
  {
    source: 'Julia 1.8: destination axes of unequal ranks',
    text: 'ERROR: DimensionMismatch: destination axes (Base.OneTo(2), Base.OneTo(3)) are not compatible with source axes (Base.OneTo(3),)',
    form: 'destination axes',
    shapes: [[2, 3], [3]],
    rule: 'none',
  },
  {
    source: 'SciML/SciMLSensitivity.jl#699',
    text: 'ERROR: LoadError: DimensionMismatch("arrays could not be broadcast to a common size; got a dimension with lengths 4 and 5")',
    form: 'sizes',
    sizes: [4, 5],
  },
  {
    source: 'ChrisRackauckas/universal_differential_equations#22',
    text: `DimensionMismatch("arrays could not be broadcast to a common size; got a dimension with lengths 22 and 106")

Stacktrace:
 [1] _bcs1 at .\\broadcast.jl:490 [inlined]`,
    form: 'sizes',
    sizes: [22, 106],
  },
  {
    source: 'JuliaLang/julia#45921',
    text: `ERROR: DimensionMismatch: arrays could not be broadcast to a common size; got a dimension with lengths 3 and 3
Stacktrace:`,
    form: 'sizes',
    verdict: 'ok',
    sizes: [3, 3],
  },
  {
    source: 'JuliaArrays/BlockArrays.jl#295',
    text: `ERROR: DimensionMismatch: arrays could not be broadcast to a common size; got a dimension with lengths 81 and 243
Stacktrace:`,
    form: 'sizes',
    sizes: [81, 243],
  },
  {
    source: 'JuliaLang/julia#48741',
    text: `julia> x .= y
ERROR: DimensionMismatch: array could not be broadcast to match destination`,
    form: 'destination',
  },
  {
    source: 'JuliaLang/julia#16717',
    text: `julia> a .== b
ERROR: DimensionMismatch("arrays could not be broadcast to a common size")
 in broadcast_shape(::Array{Int64,1}, ::Vararg{Array{Int64,1},N}) at ./broadcast.jl:39`,
    form: 'broadcast',
  },
  {
    source: 'JuliaLang/julia#30438',
    text: '`ERROR: DimensionMismatch("arrays could not be broadcast to a common size")`',
    form: 'broadcast',
  },
  {
    source: 'mcabbott/AxisKeys.jl#75',
    text: 'ERROR: DimensionMismatch("cannot broadcast array to have fewer dimensions")',
    form: 'destination rank',
  },
  {
    source: 'JuliaArrays/NamedDims.jl#175',
    text: 'ERROR: DimensionMismatch("destination axes (Base.OneTo(5), Base.OneTo(2)) are not compatible with source axes (Base.OneTo(5), Base.OneTo(1))")',
    form: 'destination axes',
    shapes: [
      [5, 2],
      [5, 1],
    ],
    rule: 'none',
  },
  {
    source: 'una-dinosauria/Rayuela.jl#19',
    text: 'Updating codebook 1... ERROR: LoadError: DimensionMismatch("tried to assign 0-element array to 784×1 destination")',
    form: 'assignment',
    about: 'assignment',
  },
  {
    source: 'mcabbott/TensorCast.jl#30',
    text: '# => ERROR: DimensionMismatch("array could not be broadcast to match destination")',
    form: 'destination',
  },
  {
    source: 'JuliaLang/julia#33923',
    text: `ERROR: LoadError: DimensionMismatch("dimensions must match")
Stacktrace:
 [1] promote_shape at .\\indices.jl:154 [inlined]`,
    form: 'equal shapes not named',
    about: 'equal shapes',
  },
  {
    source: 'JuliaLang/julia#40118',
    text: '`ERROR: LoadError: DimensionMismatch("dimensions must match: a has dims (Base.OneTo(3), Base.OneTo(2)), b has dims (Base.OneTo(3), Base.OneTo(4)), mismatch at 2")`',
    form: 'equal shapes',
    shapes: [
      [3, 2],
      [3, 4],
    ],
    rule: 'none',
  },
  {
    source: 'JuliaLang/julia#40118 (a product)',
    text: '`ERROR: DimensionMismatch("A has dimensions (2,1) but B has dimensions (2,1)")`',
    form: 'product',
    about: 'matrix product',
  },
  {
    source: 'JuliaLang/julia#14961',
    text: `ERROR: DimensionMismatch("A has dimensions (2,1) but B has dimensions (2,2)")
 in gemm_wrapper! at linalg/matmul.jl:312`,
    form: 'product',
    about: 'matrix product',
  },
  {
    source: 'JuliaLang/julia#19224',
    text: 'ERROR: DimensionMismatch("A has size (5,5), B has size (5,5), C has size (6,6)")',
    form: 'product into',
    about: 'matrix product',
  },
  {
    source: 'JuliaLang/julia#58047',
    text: 'ERROR: DimensionMismatch: parent has 756735 elements, which is incompatible with size (3, 3, 384, 256)',
    form: 'reshape',
    about: 'reshape',
  },
  {
    source: 'SciML/DiffEqFlux.jl#624',
    text: `ERROR: LoadError: DimensionMismatch("array could not be broadcast to match destination")
Stacktrace:
  [1] check_broadcast_shape(shp::Tuple{Base.OneTo{Int64}}, Ashp::Tuple{Base.OneTo{Int64}, Base.OneTo{Int64}})`,
    form: 'destination',
  },
  {
    source: 'FluxML/Flux.jl#1457',
    text: `ERROR: LoadError: DimensionMismatch("cannot broadcast array to have fewer dimensions")
Stacktrace:
 [1] check_broadcast_shape(::Tuple{}, ::Tuple{Base.OneTo{Int64}}) at .\\broadcast.jl:518`,
    form: 'destination rank',
  },
  {
    source: 'FluxML/Flux.jl#1891',
    text: `ERROR: DimensionMismatch: arrays could not be broadcast to a common size; got a dimension with lengths 9 and 32
Stacktrace:
  [1] _bcs1`,
    form: 'sizes',
    sizes: [9, 32],
  },
  {
    source: 'FluxML/Flux.jl#834',
    text: `ERROR: LoadError: DimensionMismatch("arrays could not be broadcast to a common size")
Stacktrace:
 [1] _bcs1 at ./broadcast.jl:438 [inlined]`,
    form: 'broadcast',
  },
  {
    source: 'FluxML/Flux.jl#2171',
    text: `julia> Dense(2,3)(rand(4))
ERROR: DimensionMismatch: second dimension of A, 2, does not match length of x, 4`,
    form: 'product of a vector',
    about: 'matrix product',
  },
  {
    source: 'sdobber/FluxArchitectures.jl#34',
    text: `┌ Warning: Size mismatch in loss function! In future this will be an error. In Flux <= 0.12 broadcasting accepts this, but may not give sensible results
│   summary(ŷ) = "1×25 Matrix{Float32}"
│   summary(y) = "13×25 Matrix{Float32}"`,
    form: 'loss',
    shapes: [
      [1, 25],
      [13, 25],
    ],
    rule: 'paddle',
    verdict: 'ok',
  },
]
