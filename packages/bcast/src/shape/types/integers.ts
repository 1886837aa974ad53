// Arithmetic on sizes that are literal, digit by digit, so that sizes of any length work. Digits of a number stand in a
// string, the last one first.

/** A digit as so many zeros. */
interface Digits {
  readonly '0': []
  readonly '1': [0]
  readonly '2': [0, 0]
  readonly '3': [0, 0, 0]
  readonly '4': [0, 0, 0, 0]
  readonly '5': [0, 0, 0, 0, 0]
  readonly '6': [0, 0, 0, 0, 0, 0]
  readonly '7': [0, 0, 0, 0, 0, 0, 0]
  readonly '8': [0, 0, 0, 0, 0, 0, 0, 0]
  readonly '9': [0, 0, 0, 0, 0, 0, 0, 0, 0]
}
type Zeros<D> = D extends keyof Digits ? Digits[D] : []

/** So many zeros as a digit says, each as many as `U`. */
type Times<D, U extends 0[]> = D extends '0'
  ? []
  : D extends '1'
    ? U
    : D extends '2'
      ? [...U, ...U]
      : D extends '3'
        ? [...U, ...U, ...U]
        : D extends '4'
          ? [...U, ...U, ...U, ...U]
          : D extends '5'
            ? [...U, ...U, ...U, ...U, ...U]
            : D extends '6'
              ? [...U, ...U, ...U, ...U, ...U, ...U]
              : D extends '7'
                ? [...U, ...U, ...U, ...U, ...U, ...U, ...U]
                : D extends '8'
                  ? [...U, ...U, ...U, ...U, ...U, ...U, ...U, ...U]
                  : [...U, ...U, ...U, ...U, ...U, ...U, ...U, ...U, ...U]

type Reversed<T extends string, Out extends string = ''> = T extends `${infer H}${infer R}`
  ? Reversed<R, `${H}${Out}`>
  : Out

/** The last digit of up to 99 zeros, and what is carried. */
type Split<N extends number> = `${N}` extends `${infer First}${infer Second}`
  ? Second extends ''
    ? [First, []]
    : [Second, Zeros<First>]
  : never

type WithCarry<Out extends string, Carry extends 0[]> = Carry extends [] ? Out : `${Out}${Carry['length']}`

/** A number times a digit. */
type TimesDigit<A extends string, D, Carry extends 0[] = [], Out extends string = ''> = A extends `${infer H}${infer T}`
  ? Split<[...Times<D, Zeros<H>>, ...Carry]['length'] & number> extends [
      infer Last extends string,
      infer More extends 0[],
    ]
    ? TimesDigit<T, D, More, `${Out}${Last}`>
    : never
  : WithCarry<Out, Carry>

type Add<A extends string, B extends string, Carry extends 0[] = [], Out extends string = ''> = A extends ''
  ? B extends ''
    ? WithCarry<Out, Carry>
    : Add<'0', B, Carry, Out>
  : B extends ''
    ? Add<A, '0', Carry, Out>
    : A extends `${infer G}${infer S}`
      ? B extends `${infer H}${infer T}`
        ? Split<[...Zeros<G>, ...Zeros<H>, ...Carry]['length'] & number> extends [
            infer Last extends string,
            infer More extends 0[],
          ]
          ? Add<S, T, More, `${Out}${Last}`>
          : never
        : never
      : never

type Multiply<A extends string, B extends string, Shift extends string = ''> = B extends `${infer H}${infer T}`
  ? T extends ''
    ? `${Shift}${TimesDigit<A, H>}`
    : Add<`${Shift}${TimesDigit<A, H>}`, Multiply<A, T, `${Shift}0`>>
  : ''

/** The number of elements of a shape whose sizes are all literal, its last digit first. */
export type Count<S extends readonly number[], Out extends string = '1'> = 0 extends S[number]
  ? '0'
  : S extends readonly [infer H extends number, ...infer T extends readonly number[]]
    ? Count<T, H extends 1 ? Out : Out extends '1' ? Reversed<`${H}`> : Multiply<Out, Reversed<`${H}`>>>
    : Out

/** As it is written. */
export type Written<N extends string> = Reversed<N>

type DigitLess<A extends string, B extends string> = '0123456789' extends `${string}${A}${string}${B}${string}`
  ? true
  : false

/** Whether A is less than B, both as they are written. */
export type IsLess<A extends string, B extends string, SoFar = 'equal'> = A extends `${infer G}${infer S}`
  ? B extends `${infer H}${infer T}`
    ? IsLess<S, T, SoFar extends 'equal' ? (G extends H ? 'equal' : DigitLess<G, H>) : SoFar>
    : false
  : B extends ''
    ? SoFar extends true
      ? true
      : false
    : true

/** As many zeros as a number below 1000 says, its last digit first; never for larger ones. */
type Small<N extends string> = N extends `${infer A}${infer R}`
  ? R extends ''
    ? Zeros<A>
    : R extends `${infer B}${infer Q}`
      ? Q extends ''
        ? [...Zeros<A>, ...Ten<Zeros<B>>]
        : Q extends keyof Digits
          ? [...Zeros<A>, ...Ten<Zeros<B>>, ...Ten<Ten<Zeros<Q>>>]
          : never
      : never
  : never
type Ten<U extends 0[]> = [...Times<'9', U>, ...U]

type Divide<N extends 0[], By extends 0[], Out extends 0[] = []> = N extends []
  ? Out['length']
  : N extends [...By, ...infer Rest extends 0[]]
    ? Divide<Rest, By, [...Out, 0]>
    : 'rest'

/** N by a number above 0: a size, 'rest' where one is left, `number` where they are too large to be divided here. */
export type Quotient<N extends string, By extends string> = [Small<N>] extends [never]
  ? number
  : [Small<By>] extends [never]
    ? 'rest'
    : Divide<Small<N>, Small<By>>
