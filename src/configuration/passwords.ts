import type { HashCost } from '../ports/passwords.js'
import { invalid, listSetting, means, textual, type Reader, type Reading, type TextReader } from './reader.js'

/** Which passwords are forbidden. */
export type BlocklistChoice =
  | { readonly kind: 'built-in' }
  /** The passwords of a file, and the built-in list. */
  | { readonly kind: 'file'; readonly path: string }

/** `on`, `off` (read as `undefined`), or the path of a file; `./off` is a path. */
export const passwordBlocklist: Reader<BlocklistChoice | undefined> = textual(
  (text): Reading<BlocklistChoice | undefined> => {
    if (text === 'off') return means(undefined)
    if (text === 'on') return means({ kind: 'built-in' })
    return text.length <= 4_096 && !/\p{Cc}/u.test(text)
      ? means({ kind: 'file', path: text })
      : invalid('must be on, off, or a path of at most 4096 characters, without control characters')
  },
)

/** The cost of one password hash in the form log2 N / r / p. */
export const hashCost: Reader<HashCost> = textual((text, { hashCostError }) => {
  const parts = /^(\d{1,3})\/(\d{1,3})\/(\d{1,3})$/.exec(text)
  if (parts === null) return invalid('must be log2 N / r / p, such as 17/8/1')
  const [logN, r, p] = parts.slice(1).map(Number) as [number, number, number]
  const error = hashCostError({ logN, r, p })
  return error === undefined ? means({ logN, r, p }) : invalid(`is log2 N / r / p; ${error}`)
})

export const passphrase: Reader<string> = textual((text) =>
  isJsonObject(text) ? invalid(NO_DOCUMENT) : means(text),
)

const severalPassphrases: TextReader<readonly string[]> = (text) => {
  const list = text.trimStart().startsWith('[') ? parsedJson(text) : [text]
  return Array.isArray(list) && list.every((one) => typeof one === 'string' && one !== '')
    ? eachPassphrase(list as readonly string[])
    : invalid('must be a JSON array of strings if it begins with a bracket')
}

/** One passphrase, or a JSON array of passphrases. */
export const passphrases: Reader<readonly string[], readonly string[]> = listSetting(eachPassphrase, {
  text: severalPassphrases,
})

function eachPassphrase(texts: readonly string[]): Reading<readonly string[]> {
  return texts.some(isJsonObject) ? invalid(NO_DOCUMENT) : means(texts)
}

const NO_DOCUMENT =
  'must be a passphrase, not a JSON object; `kennel-id key generate --plain` prints the passphrase alone'

/**
 * Returns whether the text is a JSON object, such as the output of `app key generate`, which is long enough to be accepted as a passphrase.
 */
function isJsonObject(text: string): boolean {
  const trimmed = text.trim()
  return trimmed.startsWith('{') && parsedJson(trimmed) !== undefined
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
