import { base64url } from '../encoding.js'

/** Where the pages of a list begin, as texts that clients hand back and do not read. */
export type Cursors<Position> = {
  readonly write: (after: Position) => string
  /** `undefined` for anything that `write` does not make. */
  readonly read: (cursor: string) => Position | undefined
}

/** How positions in a list are written; in ASCII alone. */
export type PositionForm<Position> = {
  /** What begins the cursors of this list and of no other, such as `p1`, where 1 is the version of the form. */
  readonly version: string
  readonly write: (after: Position) => string
  readonly read: (text: string) => Position | undefined
}

export function cursors<Position>(form: PositionForm<Position>): Cursors<Position> {
  const prefix = `${form.version}:`
  const write = (after: Position) => base64url(`${prefix}${form.write(after)}`)
  return {
    write,
    read: (cursor) => {
      const text = decoded(cursor)
      const after = text.startsWith(prefix) ? form.read(text.slice(prefix.length)) : undefined
      return after !== undefined && write(after) === cursor ? after : undefined
    },
  }
}

function decoded(cursor: string): string {
  try {
    return atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return ''
  }
}
