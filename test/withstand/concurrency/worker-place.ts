import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemKdf } from '../../../src/adapters/scrypt/kdf.js'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { makeWorkplace } from '../../cli/app.js'
import { createClient } from '../../support/http/client.js'
import { freshDatabase } from '../../support/mongodb/server.js'
import { PASSPHRASE } from '../../support/use-cases.js'
import type { BenchOptions } from '../checker.js'
import { namesFrom } from './names.js'
import { LOGIN_LIMIT, type Place } from './place.js'
import { composedOn, PERMISSIONS } from './served.js'

/** So many of them, each a process. */
const WORKERS = 4

const SETTINGS = {
  WORKERS: String(WORKERS),
  SECURITY_JWT_PASSPHRASE: PASSPHRASE,
  LOGIN_LIMIT: `${String(LOGIN_LIMIT.count)}/15m`,
  TRUST_PROXY: '1',
  REFRESH_GRACE: '60s',
  PASSWORD_HASH_CONCURRENCY: '16',
}

const MODULE = fileURLToPath(import.meta.resolve('./store-module.js'))

/** The real service with workers; a client's requests come to whichever worker takes its connection. */
export async function openWorkerPlace({ store: kind, planted }: BenchOptions): Promise<Place> {
  const workplace = await makeWorkplace()
  const database = kind === 'mongodb' ? freshDatabase() : undefined
  const path = database?.url ?? join(workplace.folder, 'app.db')
  const store = database ? await openMongo(path) : await openSqlite(path)
  const kennel = await composedOn(store, systemKdf, Date.now())
  const PERMISSIONS_FILE = join(workplace.folder, 'permissions.json')
  writeFileSync(PERMISSIONS_FILE, JSON.stringify(PERMISSIONS))
  const data =
    planted === undefined
      ? { DATABASE_URL: database?.url ?? `sqlite:${path}` }
      : { DATABASE_URL: '', STORE_MODULE: MODULE, PLANTED: planted, PLANTED_IN: path }
  const mail = { MAIL_URL: `file:${join(workplace.folder, 'outbox')}`, MAIL_FROM: 'kennel@example.com' }
  const serving = await workplace.serve({ ...SETTINGS, ...mail, PERMISSIONS_FILE, ...data })
  const client = createClient(serving.origin, () => undefined)
  return {
    origins: [serving.origin],
    clients: [client],
    kennel,
    apiKey: await kennel.apiKey(),
    clockStands: false,
    freshName: namesFrom(''),
    close: async () => {
      client.close()
      serving.child.kill('SIGTERM')
      await serving.ended
      await store.close()
      await database?.drop()
      await workplace.remove()
    },
  }
}
