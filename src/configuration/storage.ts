import type { HashCost } from '../ports/password-hasher.js'
import type { Store } from '../ports/store.js'
import {
  breaks,
  listed,
  means,
  mistyped,
  textOption,
  textual,
  type Reader,
  type Reading,
  type TextReader,
} from './reader.js'

export type DatabaseChoice =
  | { readonly kind: 'sqlite'; readonly path: string }
  /** The connection string, with its password: never to be shown. */
  | { readonly kind: 'mongodb'; readonly url: string }
  | { readonly kind: 'memory' }

/** A store of the operator's own: the path, from the current folder on, or the package of the module that opens it. */
export type StoreModule = { readonly kind: 'module'; readonly specifier: string }

/** Where data is kept where nothing is said of it. */
export const DEFAULT_DATABASE = { kind: 'sqlite', path: './data/app.db' } as const satisfies DatabaseChoice

/** Where data is kept. The text may hold a password, so no rule repeats any of it. */
export function databaseUrl(text: string): Reading<DatabaseChoice> {
  if (text === 'memory:') return means({ kind: 'memory' })
  if (/^mongodb(?:\+srv)?:/.test(text)) return mongodbUrl(text)
  if (!text.startsWith('sqlite:'))
    return breaks('must be sqlite:PATH, mongodb://…, mongodb+srv://… or memory:')
  return sqlitePath(text.slice('sqlite:'.length))
}

/** Hosts and options are judged by the driver when it connects. */
function mongodbUrl(text: string): Reading<DatabaseChoice> {
  const authority = /^mongodb(?:\+srv)?:\/\/([^/?#\s]+)(?:\/[^\s]*)?$/.exec(text)?.[1]
  if (authority === undefined || authority.endsWith('@'))
    return breaks('must name a server, as in mongodb://host:27017/kennel')
  if (authority.split('@').length > 2)
    return breaks('must have @ : / ? # percent-encoded in the user name and the password')
  return means({ kind: 'mongodb', url: text })
}

function sqlitePath(path: string): Reading<DatabaseChoice> {
  if (path === ':memory:') return breaks('must be memory: for a store that is not kept')
  if (path.startsWith('//') || path.startsWith('file:'))
    return breaks('must have the plain path after the colon: sqlite:./data/app.db or sqlite:/var/lib/app.db')
  if (path === '' || /[/\\]$/.test(path) || /\p{Cc}/u.test(path))
    return breaks('must name a file: sqlite:./data/app.db')
  return means({ kind: 'sqlite', path })
}

/** The same, or as an option an open store of the caller's own, in whose place `memory:` stands. */
export const store: Reader<DatabaseChoice, string | Store> = {
  text: databaseUrl,
  option: (value, rules) => {
    if (typeof value === 'string') return textOption(value, rules, databaseUrl)
    const isObject = typeof value === 'object' && value !== null
    return isObject ? means({ kind: 'memory' }) : mistyped('must be a string or a store')
  },
}

/** What one password hash costs, as log2 N / r / p. */
export const hashCost: Reader<HashCost> = textual((text, { hashCostError }) => {
  const parts = /^(\d{1,3})\/(\d{1,3})\/(\d{1,3})$/.exec(text)
  if (parts === null) return breaks('must be log2 N / r / p, such as 17/8/1')
  const [logN, r, p] = parts.slice(1).map(Number) as [number, number, number]
  const error = hashCostError({ logN, r, p })
  return error === undefined ? means({ logN, r, p }) : breaks(`is log2 N / r / p; ${error}`)
})

/** A passphrase as it is. */
export const passphrase: Reader<string> = textual((text) =>
  isJsonObject(text) ? breaks(NO_DOCUMENT) : means(text),
)

const severalPassphrases: TextReader<readonly string[]> = (text) => {
  const list = text.trimStart().startsWith('[') ? parsedJson(text) : [text]
  return Array.isArray(list) && list.every((one) => typeof one === 'string' && one !== '')
    ? eachPassphrase(list as readonly string[])
    : breaks('must be a JSON array of strings where it begins with a bracket')
}

/** One passphrase as it is, or a JSON array of them. */
export const passphrases: Reader<readonly string[], readonly string[]> = listed(
  severalPassphrases,
  eachPassphrase,
)

function eachPassphrase(texts: readonly string[]): Reading<readonly string[]> {
  return texts.some(isJsonObject) ? breaks(NO_DOCUMENT) : means(texts)
}

const NO_DOCUMENT =
  'must be a passphrase, not a JSON object; `kennel-id key generate --plain` prints the passphrase alone'

/** The document of `app key generate`, say: it is long and mixed, so it would pass for a passphrase. */
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
