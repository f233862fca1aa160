import { open, realpath } from 'node:fs/promises'
import type { OperatorUseCases } from '../../../application/wiring.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import { canonicalEmail } from '../../../domain/identity/email.js'
import { OperatorError, isRefusal } from '../../../domain/refusal.js'
import type { ImportRecord } from './import-records.js'

/** A file that maps account IDs in the other system to account IDs in this service. */
export type IdFile = {
  /** Adds a line for each of these records whose account now exists. A record without an ID is listed by its email. */
  add(records: readonly ImportRecord[]): Promise<void>
  close(): Promise<void>
}

/**
 * Creates the file, or empties an existing file. Each line is `{"from": "f2a1b6c0", "to": 7}`, in the order of the import. Rejects with an
 * `OperatorError` if the file cannot be written, or if it is the file at `source`, from which the accounts will be read.
 */
export async function openIdFile(
  path: string,
  source: string,
  getUser: OperatorUseCases['getUser'],
): Promise<IdFile> {
  if (await isSameFile(path, source))
    throw new OperatorError(['--ids: This file contains the accounts. Choose a different file.'])
  const file = await open(path, 'w', 0o600).catch((error: unknown) => {
    throw unwritable(error)
  })

  async function lineOf({ read }: ImportRecord): Promise<string> {
    const email = read.kind === 'user' ? canonicalEmail(read.user.email) : undefined
    if (email === undefined || read.kind !== 'user') return ''
    try {
      const { id: to } = await getUser({ caller: OPERATOR, email })
      return `${JSON.stringify({ from: read.id ?? read.user.email, to })}\n`
    } catch (error) {
      // A rejected record has no account.
      if (isRefusal(error) && error.code === 'not-found') return ''
      throw error
    }
  }

  return {
    async add(records) {
      const lines = await Promise.all(records.map(lineOf))
      await file.appendFile(lines.join('')).catch((error: unknown) => {
        throw unwritable(error)
      })
    },
    close: async () => await file.close(),
  }
}

/** Also follows symbolic links. */
async function isSameFile(...paths: readonly [string, string]): Promise<boolean> {
  const [one, two] = await Promise.all(paths.map(async (path) => await realpath(path).catch(() => undefined)))
  return one !== undefined && one === two
}

function unwritable(error: unknown): OperatorError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason'
  return new OperatorError([`--ids: The file cannot be written (${code}).`])
}
