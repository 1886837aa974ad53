// Dims as people write them: 2*N + 1, floor(3*N/2), max(N - 5, 0), mod(N, 4). The canonical form takes apart
// what belongs together (3*N/2 is held as N + floor(N/2)), so this puts it together again. What is printed parses to the
// same Dim.
import type { Atom, Dim, DimLike, Monomial, Term } from './dim.ts'
import { holdsExtreme } from './extreme.ts'
import { compareMonomials, divMonomials, monomialOf, ONE } from './monomial.ts'
import { constantOf, constantTerm, fromTerms, sub, toDim } from './polynomial.ts'

type FloorAtom = Atom & { kind: 'floor' }
type ExtremeAtom = Atom & { kind: 'max' | 'min' }

/** A part of the sum: what it is multiplied by, its text, and where it stands among the others. */
interface Piece {
  readonly coefficient: bigint
  readonly text: string
  readonly monomial: Monomial
}

/** The terms of a sum that no piece has taken yet. */
class Remaining {
  readonly #terms: Map<string, Term>

  constructor({ terms }: Dim) {
    this.#terms = new Map(terms.map((term) => [term.monomial.key, term]))
  }

  coefficient(monomial: Monomial): bigint {
    return this.#terms.get(monomial.key)?.coefficient ?? 0n
  }

  take(monomial: Monomial, amount: bigint): void {
    const coefficient = this.coefficient(monomial) - amount
    if (coefficient === 0n) this.#terms.delete(monomial.key)
    else this.#terms.set(monomial.key, { coefficient, monomial })
  }

  terms(): Term[] {
    return [...this.#terms.values()]
  }
}

/** An expression of sizes as text. */
export function format(dim: DimLike): string {
  const whole = toDim(dim)
  if (whole.terms.length === 0) return '0'
  const remaining = new Remaining(whole)
  const pieces: Piece[] = []
  for (const term of whole.terms) {
    const piece = remainderPiece(term, remaining) ?? floorPiece(term, remaining) ?? extremePiece(term, remaining)
    if (piece !== undefined) pieces.push(piece)
  }
  for (const { coefficient, monomial } of remaining.terms()) {
    pieces.push({ coefficient, text: monomial.factors.map(factorText).join('*'), monomial })
  }
  return joinPieces(pieces)
}

function joinPieces(pieces: readonly Piece[]): string {
  const sorted = [...pieces].sort((a, b) => compareMonomials(a.monomial, b.monomial))
  const positive = sorted.findIndex(({ coefficient }) => coefficient > 0n)
  if (positive > 0) sorted.unshift(...sorted.splice(positive, 1))
  return sorted
    .map(({ coefficient, text }, i) => {
      const size = coefficient < 0n ? -coefficient : coefficient
      const sign = i === 0 ? (coefficient < 0n ? '-' : '') : coefficient < 0n ? ' - ' : ' + '
      if (text === '') return `${sign}${size}`
      return size === 1n ? `${sign}${text}` : `${sign}${size}*${text}`
    })
    .join('')
}

const factorText = ({ atom, power }: { readonly atom: Atom; readonly power: number }): string =>
  power === 1 ? atomText(atom) : `${atomText(atom)}^${power}`

function atomText(atom: Atom): string {
  if (atom.kind === 'symbol') return atom.key
  return atom.kind === 'floor' ? quotientText(atom.numerator, atom.divisor) : extremeText(atom, atom.members)
}

/** `floor(N/2)`, `floor((N + 1)/2)`, `floor(N/(C*H))`. */
function quotientText(numerator: Dim, divisor: Dim): string {
  const [above, below] = [format(numerator), format(divisor)]
  const over = above.includes(' ') ? `(${above})` : above
  return `floor(${over}/${/[ *]/.test(below) ? `(${below})` : below})`
}

/** Members that hold symbols first: max(N, 1). */
function extremeText({ kind }: ExtremeAtom, members: readonly Dim[]): string {
  const varying = members.filter((member) => constantOf(member) === undefined)
  const fixed = members.filter((member) => constantOf(member) !== undefined)
  return `${kind}(${[...varying, ...fixed].map(format).join(', ')})`
}

/** What is under a floor with the other sign, k - 1 - p: floor(p/k) is -floor((k - 1 - p)/k). */
const turned = (p: Dim, k: bigint): Dim => sub(k - 1n, p)

/** Whether the canonical form turns what is `turned` back: it keeps the sign that makes the leading coefficient smaller. */
const turnsBack = ({ terms }: Dim, k: bigint): boolean => 2n * terms[0]!.coefficient < k

/** p - q*floor(p/q) as mod(p, q), as many times as it is there; subtracted, as mod(-p, q). */
function remainderPiece({ coefficient, monomial }: Term, remaining: Remaining): Piece | undefined {
  for (const { atom } of monomial.factors) {
    if (atom.kind !== 'floor' || atom.divisor.terms.length !== 1) continue
    const { numerator, divisor } = atom
    const [by] = divisor.terms
    if (divMonomials(monomial, monomialOf(atom))!.key !== by!.monomial.key || coefficient % by!.coefficient !== 0n)
      continue
    const times = -coefficient / by!.coefficient
    const varying = numerator.terms.filter((term) => term.monomial.degree > 0)
    if (!varying.every((term) => remaining.coefficient(term.monomial) === times * term.coefficient)) continue
    remaining.take(monomial, coefficient)
    const k = constantOf(divisor)
    if (times < 0n && k !== undefined && turnsBack(numerator, k)) {
      const negative = turned(numerator, k)
      for (const term of negative.terms) remaining.take(term.monomial, -times * term.coefficient)
      return { coefficient: -times, text: `mod(${format(negative)}, ${k})`, monomial: monomialOf(atom) }
    }
    for (const term of numerator.terms) remaining.take(term.monomial, times * term.coefficient)
    return { coefficient: times, text: `mod(${format(numerator)}, ${format(divisor)})`, monomial: monomialOf(atom) }
  }
  return undefined
}

const lone = ({ monomial }: Term): Atom | undefined => (monomial.degree === 1 ? monomial.factors[0]!.atom : undefined)

/** Whole multiples of what is under a floor, put back under it: N + floor(N/2) as floor(3*N/2). */
function floorPiece(term: Term, remaining: Remaining): Piece | undefined {
  const atom = lone(term)
  const k = atom?.kind === 'floor' ? constantOf(atom.divisor) : undefined
  if (k === undefined) return undefined
  const { divisor, numerator: under } = atom as FloorAtom
  const { monomial } = term
  const subtracted = term.coefficient < 0n
  const [coefficient, numerator] = subtracted ? [-term.coefficient, turned(under, k)] : [term.coefficient, under]
  // Under a floor that is subtracted everything changes its sign: N - floor((N + 2)/3) is floor(2*N/3).
  const lead = remaining.coefficient(under.terms[0]!.monomial)
  if (subtracted && !(turnsBack(under, k) && lead > 0n && lead % coefficient === 0n)) return undefined
  // A constant goes under only where there is one already: floor(N/2) + 1, but floor((H - 3)/2).
  const taken = numerator.terms.flatMap((part) => {
    const amount = remaining.coefficient(part.monomial)
    return amount !== 0n && amount % coefficient === 0n ? [{ coefficient: amount, monomial: part.monomial }] : []
  })
  const back = taken.map((part) => ({ ...part, coefficient: (part.coefficient / coefficient) * k }))
  for (const part of taken) remaining.take(part.monomial, part.coefficient)
  remaining.take(monomial, term.coefficient)
  return { coefficient, text: quotientText(fromTerms([...numerator.terms, ...back]), divisor), monomial }
}

/** What was taken out of an extreme, put back where that makes it shorter: max(N, 5) - 5 as max(N - 5, 0). */
function extremePiece(term: Term, remaining: Remaining): Piece | undefined {
  const atom = lone(term)
  if (atom === undefined || (atom.kind !== 'max' && atom.kind !== 'min')) return undefined
  const { coefficient, monomial } = term
  let { members } = atom
  const takeBack = (part: Monomial, amount: bigint): void => {
    remaining.take(part, amount * coefficient)
    members = members.map((member) => fromTerms([...member.terms, { coefficient: amount, monomial: part }]))
  }
  // Extremes were not taken out, so they do not go back.
  const parts = new Map(
    members.flatMap(({ terms }) =>
      terms.filter((part) => !holdsExtreme(part)).map((part) => [part.monomial.key, part.monomial]),
    ),
  )
  for (const part of parts.values()) {
    const amount = remaining.coefficient(part) / coefficient
    if (part.degree > 0 && amount < 0n && amount * coefficient === remaining.coefficient(part)) takeBack(part, amount)
  }
  const offset = remaining.coefficient(ONE) / coefficient
  const isNulled = members.some((member) => constantTerm(member) === -offset && member.terms.length === 1)
  if (offset < 0n && isNulled && offset * coefficient === remaining.coefficient(ONE)) takeBack(ONE, offset)
  remaining.take(monomial, coefficient)
  return { coefficient, text: extremeText(atom, members), monomial }
}
