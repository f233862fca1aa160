import { petId, type PetId } from '../../../domain/catalogue/pet.js'

const VERSION = 'p1:'

/** Where a page starts, as text that clients hand back and do not read. */
export function encodeCursor(after: PetId): string {
  return Buffer.from(`${VERSION}${String(after)}`).toString('base64url')
}

/** `undefined` for anything that `encodeCursor` of this version does not make. */
export function decodeCursor(cursor: string): PetId | undefined {
  const text = Buffer.from(cursor, 'base64url').toString('latin1')
  const after = text.startsWith(VERSION) ? petId(text.slice(VERSION.length)) : undefined
  return after !== undefined && encodeCursor(after) === cursor ? after : undefined
}
