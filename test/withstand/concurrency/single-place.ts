import { join } from 'node:path'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import type { Store } from '../../../src/ports/store.js'
import { createClient } from '../../support/http/client.js'
import { openFresh } from '../../support/mongodb/fresh-store.js'
import { makeTemporaryFolder } from '../../support/temporary-folder.js'
import type { BenchOptions, CheckedStore } from '../checker.js'
import { jittered } from './jitter.js'
import { namesFrom } from './names.js'
import type { Place } from './place.js'
import { withPlanted } from './planted/planted.js'
import { randomOf } from '../random.js'
import { composedOn, serve } from './served.js'

/** One server in this process; the operator works on the same store, past what was planted. */
export async function openSinglePlace({ store: kind, planted }: BenchOptions): Promise<Place> {
  const store = await opened(kind)
  const service = await serve(jittered(withPlanted(store, planted), randomOf(1)))
  const client = createClient(service.origin, () => undefined)
  const kennel = await composedOn(store)
  return {
    origins: [service.origin],
    clients: [client],
    kennel,
    apiKey: await kennel.apiKey(),
    clockStands: true,
    freshName: namesFrom(''),
    close: async () => {
      client.close()
      await service.close()
      await store.close()
    },
  }
}

async function opened(kind: CheckedStore): Promise<Store> {
  if (kind === 'memory') return createMemoryStore()
  if (kind === 'mongodb') return await openFresh()
  const folder = makeTemporaryFolder()
  const store = await openSqlite(join(folder.path, 'app.db'))
  return {
    ...store,
    close: async () => {
      await store.close()
      folder.remove()
    },
  }
}
