import { base64url } from '../encoding.js'

/** Converts positions in a list to opaque cursors for clients. */
export type Cursors<Position> = {
  readonly write: (after: Position) => string
  /** Returns `undefined` for a string that `write` could not have returned. */
  readonly read: (cursor: string) => Position | undefined
}

/** Converts positions in a list to text. */
export type PositionForm<Position> = {
  /** A prefix that is unique to this list and this version of the format, such as `p1`. */
  readonly version: string
  readonly write: (after: Position) => string
  readonly read: (text: string) => Position | undefined
}

export function cursors<Position>(form: PositionForm<Position>): Cursors<Position> {
  const prefix = `${form.version}:`
  const write = (after: Position) => base64url(encodeURI(`${prefix}${form.write(after)}`))
  return {
    write,
    read: (cursor) => {
      const text = decodeCursor(cursor)
      const after = text.startsWith(prefix) ? form.read(text.slice(prefix.length)) : undefined
      return after !== undefined && write(after) === cursor ? after : undefined
    },
  }
}

function decodeCursor(cursor: string): string {
  try {
    return decodeURI(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')))
  } catch {
    return ''
  }
}
