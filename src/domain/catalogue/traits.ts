import { integerFrom } from '../messages.js'
import { accepted, broken, type Parsed } from '../parsed.js'
import { plainText } from '../text.js'

/** The breed of a pet: 1 to 100 characters; see `breed`. */
export type Breed = string & { readonly brand: 'Breed' }
/** The age of a cat: an integer from 0 to 200. */
export type Age = number & { readonly brand: 'Age' }

/** Members that only cats have. */
export type CatTraits = { readonly kind: 'cat'; readonly age?: Age; readonly hunts?: boolean }
/** Members that only dogs have. */
export type DogTraits = { readonly kind: 'dog'; readonly bark?: boolean; readonly breed?: Breed }
/** A pet has the traits of at most one species. */
export type Traits = CatTraits | DogTraits
/** Traits of one species to set; `null` removes a trait. */
export type TraitsChange =
  | { readonly kind: 'cat'; readonly age?: Age | null; readonly hunts?: boolean | null }
  | { readonly kind: 'dog'; readonly bark?: boolean | null; readonly breed?: Breed | null }

export const AGE_MAX = 200
export const BREED_MAX = 100

/** Parses an age: a whole number from 0 to 200. */
export function age(value: number): Parsed<Age> {
  return Number.isInteger(value) && value >= 0 && value <= AGE_MAX
    ? accepted(value as Age)
    : broken('NotValid', integerFrom(0, AGE_MAX))
}

/** Requires 1 to 100 characters, without control characters. */
export function breed(text: string): Parsed<Breed> {
  return plainText(text, BREED_MAX) as Parsed<Breed>
}

/**
 * Applies a merge patch (RFC 7396), in which `null` removes a trait. A patch for the other species replaces all existing traits, but a
 * patch that only removes traits of the other species changes nothing. Returns `undefined` if the pet has no traits left.
 */
export function changeTraits(before: Traits | undefined, change: TraitsChange): Traits | undefined {
  const isSameKind = before?.kind === change.kind
  const { kind, ...members } = isSameKind ? { ...before, ...change } : change
  const kept = Object.entries(members).filter(([, trait]) => trait !== null)
  if (kept.length > 0) return { kind, ...Object.fromEntries(kept) }
  return before === undefined || isSameKind ? undefined : { ...before }
}
