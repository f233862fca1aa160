import { CommandError } from '../adapters/oclif/command-context.js'

const HAS_NO_SUCH_ADDRESS: readonly unknown[] = ['EADDRNOTAVAIL', 'ENOTFOUND']

/** Why nobody can listen at an address, by the settings that name it; `undefined` for any other error. */
export function listeningError(
  error: unknown,
  { host, port }: { readonly host: string; readonly port: string },
): CommandError | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE')
    return new CommandError([`${host} and ${port}: this address is in use by another process`])
  if (code === 'EACCES')
    return new CommandError([`${host} and ${port}: no permission to listen at this address`])
  if (HAS_NO_SUCH_ADDRESS.includes(code))
    return new CommandError([`${host}: this machine does not have that address`])
  return undefined
}
