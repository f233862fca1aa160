import { isRefusal, transient, unavailable } from '../../domain/refusal.js'
import type * as Driver from 'pg'
import { notEmpty, optionalPackageError } from '../optional-package.js'

let loaded: typeof Driver | undefined

/** Loads the driver; rejects with a `missing-package` Refusal if the driver is not installed. */
export async function loadDriver(): Promise<typeof Driver> {
  try {
    const driver = await import(/* turbopackOptional: true */ 'pg')
    return (loaded = notEmpty('pg', driver, 'Pool'))
  } catch (error) {
    throw optionalPackageError('pg', error)
  }
}

/** Returns the error if it was reported by the server; returns `undefined` before the driver is loaded. */
export function serverError(error: unknown): Driver.DatabaseError | undefined {
  return loaded && error instanceof loaded.DatabaseError ? error : undefined
}

/** Explanations of SQLSTATE codes for operators; a two-character code stands for a class. These errors may be temporary. */
const TEMPORARY = new Map([
  ['25006', 'The PostgreSQL server does not accept writes: it is a standby, or read-only.'],
  ['53100', 'The disk of the PostgreSQL server is full.'],
  ['53200', 'The PostgreSQL server is out of memory.'],
  [
    '53300',
    'The PostgreSQL server has too many connections: raise max_connections, or lower pool_size in DATABASE_URL.',
  ],
  ['53', 'The PostgreSQL server lacks a resource.'],
  ['55000', 'The PostgreSQL database accepts no connections.'],
  ['55', 'The PostgreSQL server cannot use a table at the moment.'],
  ['55P03', 'A table in the PostgreSQL database was locked for too long.'],
  ['57014', 'The PostgreSQL server cancelled the statement.'],
  ['57', 'The PostgreSQL server ended the operation.'],
  ['57P01', 'The PostgreSQL server is shutting down.'],
  ['57P02', 'The PostgreSQL server is restarting after a crash.'],
  ['57P03', 'The PostgreSQL server is starting up.'],
  ['40001', 'PostgreSQL could not finish the operation because of concurrent operations.'],
  ['40P01', 'PostgreSQL could not finish the operation because of concurrent operations.'],
  ['08', 'The connection to the PostgreSQL server broke.'],
  ['58', 'The disk of the PostgreSQL server reported an error.'],
])

const MISSING_TABLES =
  'Tables are missing in the PostgreSQL database: wait until a running restore has ended, or restore a backup.'

const DAMAGED = 'The PostgreSQL server reported damaged data: restore a backup.'

const LASTING = new Map([
  ['28P01', 'PostgreSQL rejected the user name or the password in DATABASE_URL.'],
  [
    '28',
    'PostgreSQL has no such user, rejects its address, or requires TLS: check DATABASE_URL and pg_hba.conf.',
  ],
  ['3D000', 'The database in DATABASE_URL does not exist: create it with createdb.'],
  ['3F000', MISSING_TABLES],
  ['42703', MISSING_TABLES],
  ['42P01', MISSING_TABLES],
  ['42501', 'The PostgreSQL role lacks a privilege: let it own the schema in DATABASE_SCHEMA.'],
  ['XX', 'The PostgreSQL server reported an internal error: see its log.'],
  ['XX001', DAMAGED],
  ['XX002', DAMAGED],
])

const NETWORK = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH ENOENT EAI_AGAIN ENOTFOUND'.split(' '),
)

/** System errors that mean that this process, or its machine, can open no further socket. */
const OUT_OF_DESCRIPTORS = new Set(['EMFILE', 'ENFILE'])
const TOO_MANY_FILES =
  'No connection to PostgreSQL can be opened: this process has too many files open (raise the limit with "ulimit -n 1024", or LimitNOFILE= in the systemd unit).'

const CERTIFICATE = /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_)/

export function inRecovery(): Error {
  return transient('The PostgreSQL server is in recovery: it is a standby, or a former primary.')
}

/** Converts errors from the server, the driver and the network to an `unavailable` Refusal; returns all other errors unchanged. */
export function asRefusal(error: unknown): unknown {
  if (isRefusal(error)) return error
  const server = serverError(error)
  if (server) {
    const code = server.code ?? ''
    const lasting = LASTING.get(code) ?? LASTING.get(code.slice(0, 2))
    if (lasting !== undefined) return unavailable(lasting, error)
    const temporary = TEMPORARY.get(code) ?? TEMPORARY.get(code.slice(0, 2))
    return temporary === undefined ? error : transient(temporary, error)
  }
  const tls = detailOfTls(error)
  if (tls !== undefined) return unavailable(tls, error)
  return isConnectionError(error) ? transient(detailOfConnection(error), error) : error
}

/**
 * Converts every error that prevented a connection to an `unavailable` Refusal. Its detail does not repeat the driver's message, which
 * could quote the connection string.
 */
export function asConnectRefusal(error: unknown): unknown {
  const refusal = asRefusal(error)
  if (isRefusal(refusal) || !(error instanceof Error)) return refusal
  if (/^SASL:.*client password/.test(error.message))
    return unavailable('The PostgreSQL server requires a password, but DATABASE_URL has none.', error)
  const reason = codeOf(error) || 'the driver rejected the reply of the server'
  return unavailable(`No connection to PostgreSQL can be established: ${reason}.`, error)
}

function detailOfTls(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (error.message.includes('does not support SSL'))
    return 'The PostgreSQL server does not support TLS, which DATABASE_URL requires.'
  const code = codeOf(error)
  return CERTIFICATE.test(code)
    ? `The certificate of the PostgreSQL server is not valid: ${code}.`
    : undefined
}

/** Returns whether the server rolled the statement back because of a concurrent statement; then it is safe to repeat the statement. */
export function isUndone(error: unknown): boolean {
  return ['40001', '40P01'].includes(serverError(error)?.code ?? '')
}

/** Returns whether a statement was refused because the disk is full. Statements that need no additional space may still succeed. */
export function isDiskFull(error: unknown): boolean {
  return isRefusal(error) && serverError(error.cause)?.code === '53100'
}

export function isContradiction(error: unknown): boolean {
  return serverError(error)?.code?.startsWith('23') ?? false
}

/** Returns whether the server has answered and still accepts statements on the connection. */
export function keepsConnection(error: unknown): boolean {
  const code = serverError(error)?.code
  return code !== undefined && !/^(?:08|25006|57P)/.test(code)
}

/** For some connection errors, the driver throws plain errors without a code. */
export function isConnectionError(error: unknown): error is Error {
  if (!(error instanceof Error) || serverError(error)) return false
  if (NETWORK.has(codeOf(error)) || OUT_OF_DESCRIPTORS.has(codeOf(error))) return true
  return /^Connection terminated|^timeout (?:expired|exceeded)|not queryable$/.test(error.message)
}

function detailOfConnection(error: Error): string {
  const code = codeOf(error)
  if (OUT_OF_DESCRIPTORS.has(code)) return TOO_MANY_FILES
  if (code === '') return 'The connection to the PostgreSQL server broke.'
  return `No PostgreSQL server can be reached: ${code}.`
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}
