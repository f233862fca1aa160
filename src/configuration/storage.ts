import type { Store } from '../ports/store.js'
import { invalid, means, textual, wrongType, textOption, type Reader, type Reading } from './reader.js'

/** The store that DATABASE_URL selects. */
export type DatabaseChoice =
  | { readonly kind: 'sqlite'; readonly path: string }
  /** The connection string may contain a password, so it must not be shown. */
  | { readonly kind: 'mongodb' | 'postgresql'; readonly url: string }
  | { readonly kind: 'memory' }

/** A custom store, specified by its module's path or package name. */
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
  return checkParameters(text) ?? means({ kind: 'postgresql', url: text })
}

/** Returns the names and values of the parameters in a connection string. */
export function parametersIn(url: string): readonly (readonly [name: string, value: string])[] {
  return [...new URLSearchParams(/\?([^#]*)/.exec(url)?.[1])]
}

/**
 * The driver ignores unknown parameters: it would connect without TLS if `sslmode` were misspelt, or named like an option of another
 * driver.
 */
function checkParameters(url: string): Reading<DatabaseChoice> | undefined {
  const parameters = parametersIn(url)
  if (parameters.some(([name]) => !POSTGRESQL_PARAMETERS.has(name)))
    return invalid(
      'must have only parameters that PostgreSQL knows, such as ?sslmode=verify-full, or pool_size',
    )
  const sizes = parameters.filter(([name]) => name === 'pool_size').map(([, size]) => size)
  return sizes.length > 1 || !sizes.every((size) => /^[1-9]\d{0,3}$/.test(size))
    ? invalid('must have a whole number from 1 to 9999 as pool_size')
    : undefined
}

/** The connection parameters of libpq in PostgreSQL 18, of the driver, and of Kennel. */
const POSTGRESQL_PARAMETERS = new Set(
  `host hostaddr port dbname user password passfile require_auth channel_binding connect_timeout client_encoding options
  application_name fallback_application_name keepalives keepalives_idle keepalives_interval keepalives_count
  tcp_user_timeout replication gssencmode gsslib gssdelegation krbsrvname service target_session_attrs
  load_balance_hosts sslmode sslnegotiation sslcert sslkey sslpassword sslcertmode sslrootcert sslcrl sslcrldir sslsni
  requiressl requirepeer sslcompression ssl_min_protocol_version ssl_max_protocol_version min_protocol_version
  max_protocol_version ssl uselibpqcompat statement_timeout lock_timeout idle_in_transaction_session_timeout
  query_timeout pool_size`.split(/\s+/),
)

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
