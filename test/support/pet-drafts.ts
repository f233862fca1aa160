import type { Caller } from '../../src/domain/access/caller.js'
import type { PetDraft, PetName } from '../../src/domain/catalogue/pet.js'

export function draft(name: string): PetDraft {
  return { name: name as PetName }
}

/** A program with an API key and the catalogue permissions of every identity. */
export function program(id: number): Caller {
  return { kind: 'api-key', apiKeyId: id, roles: [] }
}
