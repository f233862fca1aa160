import { breaks, means, textual, type Reader, type Reading } from './reader.js'

/** Which passwords cannot be set. */
export type BlocklistChoice =
  | { readonly kind: 'built-in' }
  /** Those of a file beside the built-in ones. */
  | { readonly kind: 'file'; readonly path: string }

/** `on`, `off` (`undefined`), or the path of a file; `./off` is a file. */
export const passwordBlocklist: Reader<BlocklistChoice | undefined> = textual(
  (text): Reading<BlocklistChoice | undefined> => {
    if (text === 'off') return means(undefined)
    if (text === 'on') return means({ kind: 'built-in' })
    return text.length <= 4_096 && !/\p{Cc}/u.test(text)
      ? means({ kind: 'file', path: text })
      : breaks('must be on, off, or a path of at most 4096 characters, without control characters')
  },
)
