/** The text of a UTF-8 file without its byte-order mark, or, if the file is not UTF-8, the name of its encoding. */
export type Decoded = { readonly text: string } | { readonly text?: never; readonly encoding: string }

const MARKS: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xff, 0xfe, 0, 0], 'UTF-32 (little-endian)'],
  [[0, 0, 0xfe, 0xff], 'UTF-32 (big-endian)'],
  [[0xff, 0xfe], 'UTF-16 (little-endian)'],
  [[0xfe, 0xff], 'UTF-16 (big-endian)'],
]

/** Decodes UTF-8 with or without a byte-order mark. A NUL byte indicates UTF-16. */
export function decodeUtf8(bytes: Uint8Array): Decoded {
  const marked = MARKS.find(([mark]) => mark.every((byte, at) => bytes[at] === byte))
  if (marked) return { encoding: marked[1] }
  const nul = bytes.indexOf(0)
  if (nul >= 0) return { encoding: `UTF-16 (${nul % 2 === 1 ? 'little' : 'big'}-endian)` }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return { encoding: 'Latin-1, Windows-1252 or another 8-bit encoding' }
  }
}
