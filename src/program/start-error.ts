import { codeOf } from '../configuration/opened-file.js'
import { sentenceAbout, ConfigurationError, plainly } from '../configuration/sentence.js'
import type { SettingName } from '../configuration/settings.js'
import { OperatorError, isRefusal } from '../domain/refusal.js'
import type { Failure } from './workers/protocol.js'

/** Returns an `OperatorError` if an operator can correct the startup error, and otherwise the error itself. */
export function startError(error: unknown): unknown {
  if (isRefusal(error)) return new OperatorError([error.repair ?? error.detail ?? error.message])
  return listeningError(error, { host: 'host', port: 'port' }) ?? error
}

/** Returns the reason why a worker ends, as reported to the primary process: sentences for an operator, or the stack trace. */
export function failureOf(error: unknown): Failure {
  const known = startError(error)
  if (known instanceof OperatorError) return { sentences: known.errors }
  if (!(error instanceof Error)) return { sentences: [] }
  return { sentences: [], stack: error.stack, code: 'code' in error ? String(error.code) : undefined }
}

const HAS_NO_SUCH_ADDRESS = ['EADDRNOTAVAIL', 'ENOTFOUND']

/** If the address is not available, returns an error that names the settings; for any other error, returns `undefined`. */
export function listeningError(
  error: unknown,
  { host, port }: { readonly host: SettingName; readonly port: SettingName },
): ConfigurationError | undefined {
  const code = codeOf(error)
  const both = (what: string) =>
    new ConfigurationError([plainly((nameOf) => `${nameOf(host)} and ${nameOf(port)}: ${what}`)])
  if (code === 'EADDRINUSE') return both('this address is in use by another process')
  if (code === 'EACCES') return both('no permission to listen on this address')
  return HAS_NO_SUCH_ADDRESS.includes(code)
    ? new ConfigurationError([sentenceAbout(host, ': this machine does not have that address')])
    : undefined
}
