import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { makeWorkplace, type Workplace } from '../../cli/app.js'
import { createLeftovers } from '../../mongodb-faults/leftovers.js'
import { RESETS_PERMITTED } from '../../support/http/resetting.js'
import { PASSPHRASE } from '../../support/use-cases.js'
import type { Bench, BenchOptions, Round } from '../checker.js'
import { makeCast } from './cast.js'
import { ATTEMPTS } from './clients/attempts.js'
import type { ClientParts, CrashClient } from './clients/client.js'
import type { CrashDatabase } from './database.js'
import { createGate } from './gate.js'
import { createJournal } from './journal.js'
import { createLine } from './line.js'
import { allowed, startLoad } from './load.js'
import { createOperator } from './operator.js'
import { plantedEnv } from './planted.js'
import { randomOf } from '../random.js'
import { startReplicaSetDatabase } from './replica-set-database.js'
import { makeSqliteFile } from './sqlite-file.js'
import { startTarget, type Target } from './target.js'

/** Steps of all clients together before each kill, and after the last one. */
const STEPS = 60
const KILLS = 3
/** The longest that the service lives once every client has done its steps, in milliseconds. */
const LONGEST_LIFE = 80

type Opened = {
  readonly place: Pick<Workplace, 'folder' | 'env'>
  readonly database: CrashDatabase
  readonly target: Target
  readonly note: BenchOptions['note']
}

/** The service with its workers on its own store, which round after round is killed under load. */
export async function openCrashBench({ store, planted, note }: BenchOptions): Promise<Bench> {
  const leftovers = createLeftovers()
  try {
    const made = await makeWorkplace({ store: false })
    leftovers.add(() => made.remove())
    const database = store === 'sqlite' ? await makeSqliteFile(made.folder) : await startReplicaSetDatabase()
    leftovers.add(() => database.close())
    const place = {
      folder: made.folder,
      env: { ...made.env, ...(await envOf(made.folder)), ...plantedEnv(database.url, planted) },
    }
    const target = await startTarget(place, database)
    leftovers.add(() => target.close())
    let rounds = 0
    return {
      round: (seed) => crash({ place, database, target, note }, seed, (rounds += 1)),
      close: () => leftovers.clear(),
    }
  } catch (error) {
    await leftovers.clear()
    throw error
  }
}

async function envOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const { roles } = RESETS_PERMITTED
  const pets = [...(DEFAULT_PERMISSIONS.roles['user']?.components?.['pets'] ?? []), 'delete']
  const user = { components: { ...roles['user']?.components, pets } }
  const permissions = join(folder, 'permissions.json')
  await writeFile(permissions, JSON.stringify({ roles: { ...roles, user } }))
  return {
    PERMISSIONS_FILE: permissions,
    // The same in every life of the service, whatever port it gets: tokens name it.
    PUBLIC_URL: 'http://127.0.0.1:3000',
    SECURITY_JWT_PASSPHRASE: PASSPHRASE,
    TRUST_PROXY: '1',
    LOGIN_LIMIT: `${String(ATTEMPTS)}/1h`,
    REFRESH_GRACE: '60s',
  }
}

/** Load, a few kills in it, and then everything is read back. */
async function crash(
  { place, database, target, note }: Opened,
  seed: number,
  number: number,
): Promise<Round> {
  const random = randomOf(seed)
  const [journal, gate] = [createJournal(), createGate()]
  let [addresses, faults] = [0, 0]
  let isElecting = false
  const parts: ClientParts = {
    newLine: () =>
      createLine({ live: target.client, gate, journal, address: addressOf(number, (addresses += 1)) }),
    operator: createOperator(place, gate),
    random,
    journal,
    mayForget: () => isElecting,
  }
  const clients = await castOf(database, parts, `${String(seed)}-${String(number)}`)
  const load = startLoad(clients, journal)
  for (const kind of kindsOf(target, seed)) {
    await load.steps(STEPS)
    if (journal.violations.length > 0) break
    faults += 1
    await pause(random.next() * LONGEST_LIFE)
    note(kind)
    gate.close()
    isElecting = kind in database.kills
    journal.violations.push(...(await target.kill(kind, random)))
    if (isElecting) for (const client of clients) client.onElection?.()
    isElecting = false
    gate.open()
  }
  await load.steps(STEPS)
  await load.end()
  await Promise.all(clients.map((client) => allowed(journal, () => client.readBack())))
  const { operations, histories, violations } = journal
  return { operations, histories, faults, violations: [...violations, ...(await database.damages())] }
}

async function castOf(
  database: CrashDatabase,
  parts: ClientParts,
  name: string,
): Promise<readonly CrashClient[]> {
  const store = await database.open()
  try {
    return await makeCast(store, parts, { name, clock: Date.now })
  } finally {
    await store.close()
  }
}

/** In turn, so that a few rounds have each. */
function kindsOf({ kinds }: Target, seed: number): readonly string[] {
  return Array.from({ length: KILLS }, (_, place) => kinds[(seed * KILLS + place) % kinds.length] ?? '')
}

/** Of documentation's network, and no two lines of one round have the same. */
function addressOf(round: number, line: number): string {
  return `10.${String(round % 250)}.${String(Math.floor(line / 250))}.${String(1 + (line % 250))}`
}
