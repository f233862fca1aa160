import { integerFrom } from '../messages.js'
import { accepted, broken, type Parsed } from '../parsed.js'
import { plainText } from '../text.js'

/** 1 to 100 characters, made by `breed`. */
export type Breed = string & { readonly brand: 'Breed' }
/** 0 to 200, whole. */
export type Age = number & { readonly brand: 'Age' }

/** The traits of cats. */
export type CatTraits = { readonly kind: 'cat'; readonly age?: Age; readonly hunts?: boolean }
/** The traits of dogs. */
export type DogTraits = { readonly kind: 'dog'; readonly bark?: boolean; readonly breed?: Breed }
/** A pet has traits of at most one shape. */
export type Traits = CatTraits | DogTraits
/** Traits of one shape to set; `null` removes a trait. */
export type TraitsChange =
  | { readonly kind: 'cat'; readonly age?: Age | null; readonly hunts?: boolean | null }
  | { readonly kind: 'dog'; readonly bark?: boolean | null; readonly breed?: Breed | null }

export const AGE_MAX = 200
export const BREED_MAX = 100

/** 0 to 200, whole. */
export function age(value: number): Parsed<Age> {
  return Number.isInteger(value) && value >= 0 && value <= AGE_MAX
    ? accepted(value as Age)
    : broken('NotValid', integerFrom(0, AGE_MAX))
}

/** 1 to 100 characters, no control characters. */
export function breed(text: string): Parsed<Breed> {
  return plainText(text, BREED_MAX) as Parsed<Breed>
}

/**
 * A merge patch within one shape (RFC 7396): `null` removes a trait. A change of the other shape replaces the old traits,
 * unless it only removes traits: then it changes nothing. `undefined` if no trait is left: then the pet has no shape.
 */
export function changeTraits(before: Traits | undefined, change: TraitsChange): Traits | undefined {
  const isSameShape = before?.kind === change.kind
  const { kind, ...members } = isSameShape ? { ...before, ...change } : change
  const kept = Object.entries(members).filter(([, trait]) => trait !== null)
  if (kept.length > 0) return { kind, ...Object.fromEntries(kept) }
  return before === undefined || isSameShape ? undefined : { ...before }
}
