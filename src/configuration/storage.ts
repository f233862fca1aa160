import type { Store } from '../ports/store.js'
import { invalid, means, textual, wrongType, textOption, type Reader, type Reading } from './reader.js'

/** The store that DATABASE_URL selects. */
export type DatabaseChoice =
  | { readonly kind: 'sqlite'; readonly path: string }
  /** The connection string may contain a password, so it must not be shown. */
  | { readonly kind: 'mongodb' | 'postgresql'; readonly url: string }
  | { readonly kind: 'memory' }

/** A custom store, specified by the path of the module that opens it, or by the name of the module's package. */
export type StoreModule = { readonly kind: 'module'; readonly specifier: string }

export const DEFAULT_DATABASE = { kind: 'sqlite', path: './data/app.db' } as const satisfies DatabaseChoice

/** The string may contain a password, so error messages repeat no part of it. */
export function databaseUrl(text: string): Reading<DatabaseChoice> {
  if (text === 'memory:') return means({ kind: 'memory' })
  if (/^mongodb(?:\+srv)?:/.test(text)) return mongodbUrl(text)
  if (/^postgres(?:ql)?:/.test(text)) return postgresqlUrl(text)
  if (!text.startsWith('sqlite:'))
    return invalid('must be sqlite:PATH, postgresql://…, mongodb://…, mongodb+srv://… or memory:')
  return sqlitePath(text.slice('sqlite:'.length))
}

/** Checks only the form of the URL; the driver checks hosts and options when it connects. */
function mongodbUrl(text: string): Reading<DatabaseChoice> {
  const authority = /^mongodb(?:\+srv)?:\/\/([^/?#\s]+)(?:\/[^\s]*)?$/.exec(text)?.[1]
  if (authority === undefined || authority.endsWith('@'))
    return invalid('must name a server, such as mongodb://host:27017/kennel')
  if (authority.split('@').length > 2)
    return invalid('must percent-encode the characters @ : / ? # in the user name and the password')
  return means({ kind: 'mongodb', url: text })
}

/** A URL without a host names the folder of a Unix socket, such as `postgresql:///kennel?host=/run/postgresql`. */
function postgresqlUrl(text: string): Reading<DatabaseChoice> {
  const [, authority = '', database = ''] =
    /^postgres(?:ql)?:\/\/([^/?#\s]*)\/([^/?#\s]+)(?:\?\S*)?$/.exec(text) ?? []
  if (database === '' || authority.endsWith('@') || (authority === '' && !/[?&]host=/.test(text)))
    return invalid('must name a server and a database, such as postgresql://host:5432/app')
  if (authority.split('@').length > 2)
    return invalid('must percent-encode the characters @ : / ? # in the user name and the password')
  return means({ kind: 'postgresql', url: text })
}

/** The name of a schema; PostgreSQL's system schemas begin with `pg_`. */
export const schemaName = textual((text) => {
  if (!/^[\p{L}_][\p{L}\p{N}_$-]*$/u.test(text) || new TextEncoder().encode(text).length > 63)
    return invalid('must be a name of at most 63 bytes, such as kennel')
  return /^pg_|^information_schema$/.test(text)
    ? invalid('must not name a PostgreSQL system schema')
    : means(text)
})

function sqlitePath(path: string): Reading<DatabaseChoice> {
  if (path === ':memory:')
    return invalid('must be memory: for a store that keeps no data after the process ends')
  if (path.startsWith('//') || path.startsWith('file:'))
    return invalid(
      'must have a plain path after the colon, such as sqlite:./data/app.db or sqlite:/var/lib/app.db',
    )
  if (path === '' || /[/\\]$/.test(path) || /\p{Cc}/u.test(path))
    return invalid('must name a file: sqlite:./data/app.db')
  return means({ kind: 'sqlite', path })
}

/** A URL; the option can also be an open custom store, which is read as `memory:`. */
export const store: Reader<DatabaseChoice, string | Store> = {
  text: databaseUrl,
  option: (value, rules) => {
    if (typeof value === 'string') return textOption(value, rules, databaseUrl)
    const isObject = typeof value === 'object' && value !== null
    return isObject ? means({ kind: 'memory' }) : wrongType('must be a string or a store')
  },
}
