// `using x = …`: a class with `dispose()` gives back at the end of the block where the platform has Symbol.dispose. Where
// it has none, neither the class nor its declaration speaks of it, so that every ordinary `lib` setting will do.

/** What `using` calls, where the compiler's libraries know it. */
type DisposeSymbol = SymbolConstructor extends { readonly dispose: infer K extends symbol } ? K : never

/** Something that `using` may hold. */
export type Using = { readonly [K in DisposeSymbol]: () => void }

/** Lets `using` hold what a class makes. */
export function letUsingHold({ prototype }: { readonly prototype: { dispose(): void } }): void {
  if (Symbol.dispose === undefined) return
  Object.defineProperty(prototype, Symbol.dispose, {
    value(this: { dispose(): void }): void {
      this.dispose()
    },
  })
}
