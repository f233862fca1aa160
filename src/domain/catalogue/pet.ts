import { oneOf, integerFrom } from '../messages.js'
import { accepted, broken, type Parsed, plainText, isPositiveInteger, positiveIntegerIn } from '../parsed.js'

/** The ID of a pet: a positive, increasing number below 2^53 that the store assigns and never reuses. */
export type PetId = number & { readonly brand: 'PetId' }
/** 1 to 200 characters; see `petName`. */
export type PetName = string & { readonly brand: 'PetName' }
/** 1 to 100 characters; see `petTag`. */
export type PetTag = string & { readonly brand: 'PetTag' }
/** All categories of pets. */
export const CATEGORIES = ['One', 'Two', 'Three'] as const
/** A category of pets, from `CATEGORIES`. */
export type Category = (typeof CATEGORIES)[number]
/** 1 at creation and incremented by every change. Entity tags are derived from the revision. */
export type Revision = number & { readonly brand: 'Revision' }

/** A pet that has no ID yet; the store assigns the ID later. */
export type PetDraft = {
  readonly name: PetName
  readonly tag?: PetTag
  readonly category?: Category
}

/** A pet in the catalogue. */
export type Pet = PetDraft & {
  readonly id: PetId
  readonly revision: Revision
  readonly traits?: Traits
}

/** Pets in ascending order of ID. The next page starts after `next`, which is absent on the last page. */
export type PetPage = { readonly pets: readonly Pet[]; readonly next?: PetId }

export const PET_NAME_MAX = 200
export const PET_TAG_MAX = 100

/** Requires 1 to 200 characters after trimming, without control characters. */
export function petName(text: string): Parsed<PetName> {
  return plainText(text.trim(), PET_NAME_MAX) as Parsed<PetName>
}

/** Requires 1 to 100 characters, without control characters. */
export function petTag(text: string): Parsed<PetTag> {
  return plainText(text, PET_TAG_MAX) as Parsed<PetTag>
}

/** Parses a pet ID in plain decimal form. Returns `undefined` for any other string, so that the reply is "not found", not "malformed". */
export function petId(text: string): PetId | undefined {
  return positiveIntegerIn(text) as PetId | undefined
}

/** Parses the name of a category, which must match a known name exactly. */
export function category(text: string): Parsed<Category> {
  const found = CATEGORIES.find((one) => one === text)
  return found ? accepted(found) : broken('NotValid', oneOf(CATEGORIES))
}

/** At most 100 pet IDs, in the caller's order; see `petIds`. */
export type PetIds = readonly PetId[] & { readonly brand: 'PetIds' }

export const PET_IDS_MAX = 100

const PET_IDS_RULE = `must contain at most ${PET_IDS_MAX} positive integers`

/** Also accepts IDs of pets that do not exist. */
export function petIds(ids: readonly number[]): Parsed<PetIds> {
  const isValid = ids.length <= PET_IDS_MAX && ids.every(isPositiveInteger)
  return isValid ? accepted(ids as PetIds) : broken('NotValid', PET_IDS_RULE)
}

/** Parses plain decimal IDs that are separated by commas. */
export function petIdsIn(text: string): Parsed<PetIds> {
  // Stops after the first ID above the limit, even if the string is very long.
  const ids = text.split(',', PET_IDS_MAX + 1).map((id) => petId(id) ?? Number.NaN)
  return petIds(ids)
}

/** Identifies an attempt to create something, so that a retry of this attempt does not create it again. */
export type IdempotencyKey = string & { readonly brand: 'IdempotencyKey' }

/** Requires 1 to 255 visible ASCII characters. */
export function idempotencyKey(text: string): Parsed<IdempotencyKey> {
  return /^[\x21-\x7e]{1,255}$/.test(text)
    ? accepted(text as IdempotencyKey)
    : broken('Format', 'must have 1 to 255 visible characters')
}

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

/** Returns the pet after the change, with the next revision. */
export function changedPet({ traits: before, revision, ...pet }: Pet, change: TraitsChange): Pet {
  const traits = changeTraits(before, change)
  return { ...pet, revision: (revision + 1) as Revision, ...(traits && { traits }) }
}
