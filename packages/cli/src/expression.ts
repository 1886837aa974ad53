// What the page shares with the command line about expressions: the language, its errors and its shapes.
export { Composer } from './expression/compose.ts'
export { EvaluationError, ExpressionError } from './expression/expression-error.ts'
export { functionsText } from './expression/operators.ts'
export { parseExpression } from './expression/parse.ts'
export { placeArrays } from './expression/shapes.ts'
export { bottomUp, type Expression, namesIn, partsOf } from './expression/syntax.ts'
