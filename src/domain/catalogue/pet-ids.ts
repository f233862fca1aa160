import { isPositiveInteger } from '../positive-integer.js'
import { accepted, broken, type Parsed } from '../parsed.js'
import { petId, type PetId } from './pet.js'

/** At most 100 ids of pets, as the caller named them; made by `petIds`. */
export type PetIds = readonly PetId[] & { readonly brand: 'PetIds' }

/** As many as the greatest page holds. */
export const PET_IDS_MAX = 100

const RULE = `must hold at most ${PET_IDS_MAX} ids, which are positive integers`

/** Ids of pets, whether or not there are such pets. */
export function petIds(ids: readonly number[]): Parsed<PetIds> {
  const fine = ids.length <= PET_IDS_MAX && ids.every(isPositiveInteger)
  return fine ? accepted(ids as PetIds) : broken('NotValid', RULE)
}

/** The same from a text, in plain decimal form with commas between them. */
export function petIdsIn(text: string): Parsed<PetIds> {
  // Of a longer text no more is looked at than is needed to know that it is too long.
  const ids = text.split(',', PET_IDS_MAX + 1).map((id) => petId(id) ?? Number.NaN)
  return petIds(ids)
}
