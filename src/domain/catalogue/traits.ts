import { integerFrom } from '../messages.js'
import { accepted, broken, type Parsed } from '../parsed.js'
import { plainText } from '../text.js'

/** 1 to 100 characters, made by `breed`. */
export type Breed = string & { readonly brand: 'Breed' }
/** 0 to 200, whole. */
export type Age = number & { readonly brand: 'Age' }

/** What only cats have. */
export type CatTraits = { readonly kind: 'cat'; readonly age?: Age; readonly hunts?: boolean }
/** What only dogs have. */
export type DogTraits = { readonly kind: 'dog'; readonly bark?: boolean; readonly breed?: Breed }
/** A pet has at most one shape. */
export type Traits = CatTraits | DogTraits
/** Traits to be set, and with `null` those to be taken away, of one shape. */
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
 * A merge patch within one shape (RFC 7396): what is null is taken away, whether or not it is there. A
 * change in the other shape takes the place of the old traits, unless it takes nothing but away: that
 * changes nothing. `undefined` where no trait is left: then the pet has no shape any more.
 */
export function changeTraits(before: Traits | undefined, change: TraitsChange): Traits | undefined {
  const isSameShape = before?.kind === change.kind
  const { kind, ...members } = isSameShape ? { ...before, ...change } : change
  const kept = Object.entries(members).filter(([, trait]) => trait !== null)
  if (kept.length > 0) return { kind, ...Object.fromEntries(kept) }
  return before === undefined || isSameShape ? undefined : { ...before }
}
