// The operators that had the attributes `broadcast` and `axis` before opset 7. Others have an `axis` that means
// something else.
export const legacyOperators: ReadonlySet<string> = new Set([
  ...['Add', 'Sub', 'Mul', 'Div', 'Pow', 'And', 'Or', 'Xor', 'Equal', 'Greater', 'Less'],
])
