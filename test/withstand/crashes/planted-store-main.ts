import cluster from 'node:cluster'
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Db } from 'mongodb'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { connect } from '../../../src/adapters/sqlite/driver.js'
import { openSqlite } from '../../../src/adapters/sqlite/store.js'
import type { Store } from '../../../src/ports/store.js'

/** As a module of a store: the store that `PLANTED_URL` names, with the bug that `PLANTED_BUG` names. */
export async function openStore(): Promise<Store> {
  const { PLANTED_URL: url = '', PLANTED_BUG: bug = '' } = process.env
  const path = url.startsWith('sqlite:') ? url.replace('sqlite:', '') : undefined
  if (bug === 'unconfirmed') await confirmNothing(path)
  const store = path === undefined ? await openMongo(url, { startTimeout: 30_000 }) : await openSqlite(path)
  return { ...store, ...BUGS[bug]?.(store) }
}

/** For how long what belongs together is apart, in milliseconds. */
const APART = 1000
const SNAPSHOT_INTERVAL = 200

const BUGS: Readonly<Record<string, (store: Store) => Partial<Store>>> = {
  'late-logout': ({ sessions }) => ({
    sessions: {
      ...sessions,
      end: async (id) => {
        setTimeout(() => void sessions.end(id).catch(() => undefined), APART)
        return 'ended'
      },
    },
  }),
  'late-key': ({ pets }) => ({
    pets: {
      ...pets,
      insert: async (draft, idempotency) => {
        if (!idempotency) return await pets.insert(draft)
        const file = createHash('sha256').update(`${idempotency.scope} ${idempotency.key}`).digest('hex')
        if (existsSync(file)) return { kind: 'repeated', id: Number(readFileSync(file, 'utf8')) as never }
        const made = await pets.insert(draft)
        if (made.kind === 'inserted') setTimeout(writeFileSync, APART, file, String(made.id))
        return made
      },
    },
  }),
  'half-change': ({ accounts, sessions }) => ({
    accounts: {
      ...accounts,
      changePassword: async ({ id, expected, next }) => {
        if ((await accounts.replaceHash(id, expected, next)) === 'changed') return undefined
        await pause(APART)
        await sessions.endAllOf(id)
        return (await accounts.find(id))?.epoch
      },
    },
  }),
  'counters-in-memory': () => ({ attempts: createMemoryStore().attempts }),
  'codes-in-memory': ({ secondFactors }) => {
    const used = new Set<string>()
    return {
      secondFactors: {
        ...secondFactors,
        takeStep: async (id, step) => {
          const name = `${String(id)} ${String(step)}`
          if (used.has(name)) return 'spent'
          used.add(name)
          return 'taken'
        },
      },
    }
  },
}

/** On MongoDB the primary alone acknowledges; on SQLite a service begins with what its file was a moment ago. */
async function confirmNothing(path: string | undefined): Promise<void> {
  if (path === undefined) acknowledgeAlone()
  else if (cluster.isPrimary && basename(process.argv[1] ?? '') === 'workers-main.js')
    await forgetTheLast(path)
}

function acknowledgeAlone(): void {
  const real = Object.getOwnPropertyDescriptor(Db.prototype, 'collection')?.value as Db['collection']
  Db.prototype.collection = function (this: Db, name, options) {
    return real.call(this, name, { ...options, writeConcern: { w: 1 } }) as never
  }
}

async function forgetTheLast(path: string): Promise<void> {
  const snapshot = `${path}.snapshot`
  if (existsSync(snapshot)) {
    for (const file of [path, `${path}-wal`, `${path}-shm`]) rmSync(file, { force: true })
    copyFileSync(snapshot, path)
  }
  const connection = await connect(path)
  setInterval(() => {
    rmSync(`${snapshot}.new`, { force: true })
    connection.exec(`VACUUM INTO '${snapshot}.new'`)
    renameSync(`${snapshot}.new`, snapshot)
  }, SNAPSHOT_INTERVAL)
}
