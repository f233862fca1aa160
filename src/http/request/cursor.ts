import { base64url } from '../base64.js'
import { petId, type PetId } from '../../domain/catalogue/pet.js'

const VERSION = 'p1:'

/** Where a page starts, as text that clients hand back and do not read. */
export function encodeCursor(after: PetId): string {
  return base64url(`${VERSION}${String(after)}`)
}

/** `undefined` for anything that `encodeCursor` of this version does not make. */
export function decodeCursor(cursor: string): PetId | undefined {
  const text = decoded(cursor)
  const after = text.startsWith(VERSION) ? petId(text.slice(VERSION.length)) : undefined
  return after !== undefined && encodeCursor(after) === cursor ? after : undefined
}

function decoded(cursor: string): string {
  try {
    return atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}
