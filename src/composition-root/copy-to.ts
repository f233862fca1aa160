import { UsageError, type CopyTo } from '../adapters/oclif/command-context.js'
import type { Operations } from '../application/use-cases.js'
import { OPERATOR } from '../domain/access/caller.js'
import { databaseUrl } from '../configuration/storage.js'
import { openStore } from './open-store.js'

/** Opens the target for as long as the copy takes. Rejects with a `UsageError` for a URL that names no store. */
export function createCopyTo(useCases: Pick<Operations, 'authorize' | 'copyStore'>): CopyTo {
  return async ({ url, ...input }) => {
    const choice = databaseUrl(url)
    if (!choice.ok) throw new UsageError(`--to ${choice.rule}`)
    // Before the target is made.
    const authorized = useCases.authorize(OPERATOR, 'store', 'copy')
    const target = await openStore(choice.value)
    try {
      if (!target.records) throw new UsageError('--to names a store that keeps nothing.')
      return await useCases.copyStore({ ...input, authorized, target: target.records })
    } finally {
      await target.close()
    }
  }
}
