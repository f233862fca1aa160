import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import { createClient } from '../../support/http/client.js'
import { startReplicaSet } from '../../support/mongodb/replica-set.js'
import { freshDatabase } from '../../support/mongodb/server.js'
import { makeTemporaryFolder } from '../../support/temporary-folder.js'
import type { BenchOptions, CheckedStore } from '../checker.js'
import { namesFrom } from './names.js'
import type { Place } from './place.js'
import { composedOn } from './served.js'

/** Two servers in processes of their own on one store; the operator is a third process on it. */
export async function openProcessPlace({ store: kind, planted = '' }: BenchOptions): Promise<Place> {
  const data = kind === 'mongodb' ? await replicaSet() : sqliteFile()
  const store = await openStore(kind, data.url)
  const kennel = await composedOn(store)
  const apiKey = await kennel.apiKey()
  const servers = await Promise.all([startServer(data.url, planted), startServer(data.url, planted)])
  const clients = servers.map(({ origin }) => createClient(origin, () => undefined))
  return {
    origins: servers.map(({ origin }) => origin),
    clients,
    kennel,
    apiKey,
    clockStands: true,
    freshName: namesFrom(''),
    close: async () => {
      for (const client of clients) client.close()
      await Promise.all(servers.map((server) => server.end()))
      await store.close()
      await data.remove()
    },
  }
}

async function openStore(kind: CheckedStore, url: string) {
  return kind === 'mongodb' ? await openMongo(url, { timeout: 30_000 }) : await openSqlite(url)
}

type Data = { readonly url: string; readonly remove: () => Promise<void> }

/** A database of three servers. */
async function replicaSet(): Promise<Data> {
  const set = await startReplicaSet()
  const database = freshDatabase(set.url)
  return {
    url: database.url,
    remove: async () => {
      await database.drop()
      await set.stop()
    },
  }
}

function sqliteFile(): Data {
  const folder = makeTemporaryFolder()
  return { url: join(folder.path, 'app.db'), remove: async () => folder.remove() }
}

const SCRIPT = fileURLToPath(new URL('server-main.js', import.meta.url))

async function startServer(url: string, planted: string) {
  const child = fork(SCRIPT, [url, planted])
  const closed = once(child, 'close')
  const [origin] = (await Promise.race([once(child, 'message'), closed])) as [unknown]
  if (typeof origin !== 'string') throw new Error('a server ended before it was ready')
  return {
    origin,
    end: async () => {
      if (child.connected) child.send('end')
      await closed
    },
  }
}
