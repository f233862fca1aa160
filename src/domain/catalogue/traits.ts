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

/** Merge patch within one shape; a change in the other shape replaces the old traits. */
export function changeTraits(before: Traits | undefined, change: Traits): Traits {
  if (before?.kind === 'cat' && change.kind === 'cat') return { ...before, ...change }
  if (before?.kind === 'dog' && change.kind === 'dog') return { ...before, ...change }
  return { ...change }
}
