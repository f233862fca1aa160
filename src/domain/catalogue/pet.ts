import { oneOf } from '../messages.js'
import { accepted, broken, type Parsed } from '../parsed.js'
import { isPositiveInteger, positiveIntegerIn } from '../positive-integer.js'
import { plainText } from '../text.js'
import type { Traits } from './traits.js'

/** Positive, increasing, never reused, below 2^53; assigned by the store. */
export type PetId = number & { readonly brand: 'PetId' }
/** 1 to 200 characters, made by `petName`. */
export type PetName = string & { readonly brand: 'PetName' }
/** 1 to 100 characters, made by `petTag`. */
export type PetTag = string & { readonly brand: 'PetTag' }
/** The categories of pets. */
export const CATEGORIES = ['One', 'Two', 'Three'] as const
/** One of `CATEGORIES`. */
export type Category = (typeof CATEGORIES)[number]
/** 1 at creation, one more with every change; the source of entity tags. */
export type Revision = number & { readonly brand: 'Revision' }

/** A pet without an ID. */
export type PetDraft = {
  readonly name: PetName
  readonly tag?: PetTag
  readonly category?: Category
}

/** A pet of the catalogue. */
export type Pet = PetDraft & {
  readonly id: PetId
  readonly revision: Revision
  readonly traits?: Traits
}

/** Pets in ascending order of ID. The next page starts after `next`; absent on the last page. */
export type PetPage = { readonly pets: readonly Pet[]; readonly next?: PetId }

export const PET_NAME_MAX = 200
export const PET_TAG_MAX = 100

/** 1 to 200 characters after trimming, no control characters. */
export function petName(text: string): Parsed<PetName> {
  return plainText(text.trim(), PET_NAME_MAX) as Parsed<PetName>
}

/** 1 to 100 characters, no control characters. */
export function petTag(text: string): Parsed<PetTag> {
  return plainText(text, PET_TAG_MAX) as Parsed<PetTag>
}

/**
 * The pet ID of a path parameter: any text but the plain decimal form of a possible ID names no pet, so it is "absent",
 * not "malformed".
 */
export function petId(text: string): PetId | undefined {
  return positiveIntegerIn(text) as PetId | undefined
}

/** One of `CATEGORIES`, to the letter. */
export function category(text: string): Parsed<Category> {
  const found = CATEGORIES.find((one) => one === text)
  return found ? accepted(found) : broken('NotValid', oneOf(CATEGORIES))
}

/** At most 100 pet IDs, in the caller's order; made by `petIds`. */
export type PetIds = readonly PetId[] & { readonly brand: 'PetIds' }

export const PET_IDS_MAX = 100

const PET_IDS_RULE = `must hold at most ${PET_IDS_MAX} ids, which are positive integers`

/** Pet IDs, whether or not there are such pets. */
export function petIds(ids: readonly number[]): Parsed<PetIds> {
  const fine = ids.length <= PET_IDS_MAX && ids.every(isPositiveInteger)
  return fine ? accepted(ids as PetIds) : broken('NotValid', PET_IDS_RULE)
}

/** Pet IDs in plain decimal form, with commas between them. */
export function petIdsIn(text: string): Parsed<PetIds> {
  // An excess of IDs is detected without reading the whole text.
  const ids = text.split(',', PET_IDS_MAX + 1).map((id) => petId(id) ?? Number.NaN)
  return petIds(ids)
}

/** Names one attempt to create something, so that a repeated attempt creates nothing. */
export type IdempotencyKey = string & { readonly brand: 'IdempotencyKey' }

/** 1 to 255 visible ASCII characters. */
export function idempotencyKey(text: string): Parsed<IdempotencyKey> {
  return /^[\x21-\x7e]{1,255}$/.test(text)
    ? accepted(text as IdempotencyKey)
    : broken('Format', 'must have 1 to 255 visible characters')
}
