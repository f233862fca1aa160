import { ConfigurationError } from '../configuration/configuration-error.js'
import { about, plainly } from '../configuration/sentence.js'
import type { SettingName } from '../configuration/settings.js'

const HAS_NO_SUCH_ADDRESS: readonly unknown[] = ['EADDRNOTAVAIL', 'ENOTFOUND']

/** Why nobody can listen at an address, by the settings that name it; `undefined` for any other error. */
export function listeningError(
  error: unknown,
  { host, port }: { readonly host: SettingName; readonly port: SettingName },
): ConfigurationError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const both = (what: string) =>
    new ConfigurationError([plainly((nameOf) => `${nameOf(host)} and ${nameOf(port)}: ${what}`)])
  if (code === 'EADDRINUSE') return both('this address is in use by another process')
  if (code === 'EACCES') return both('no permission to listen at this address')
  return HAS_NO_SUCH_ADDRESS.includes(code)
    ? new ConfigurationError([about(host, ': this machine does not have that address')])
    : undefined
}
