import { isPositiveInteger } from '../positive-integer.js'
import { accepted, broken, type Parsed } from '../parsed.js'
import { petId, type PetId } from './pet.js'

/** At most 100 pet IDs, in the caller's order; made by `petIds`. */
export type PetIds = readonly PetId[] & { readonly brand: 'PetIds' }

export const PET_IDS_MAX = 100

const RULE = `must hold at most ${PET_IDS_MAX} ids, which are positive integers`

/** Pet IDs, whether or not there are such pets. */
export function petIds(ids: readonly number[]): Parsed<PetIds> {
  const fine = ids.length <= PET_IDS_MAX && ids.every(isPositiveInteger)
  return fine ? accepted(ids as PetIds) : broken('NotValid', RULE)
}

/** Pet IDs in plain decimal form, with commas between them. */
export function petIdsIn(text: string): Parsed<PetIds> {
  // An excess of IDs is detected without reading the whole text.
  const ids = text.split(',', PET_IDS_MAX + 1).map((id) => petId(id) ?? Number.NaN)
  return petIds(ids)
}
