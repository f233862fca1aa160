import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RoleKey } from '../../src/domain/access/role.js'
import type { Store } from '../../src/ports/store.js'
import { makeWorkplace, type Workplace } from '../cli/app.js'
import { until } from '../cli/workers.js'
import { startWithWorkers, type ServiceWithWorkers } from '../durability/service-with-workers.js'
import { seedStore } from '../mongodb-faults/real-service.js'
import { createClient, type Client } from '../support/http/client.js'
import { PASSPHRASE, PASSWORD } from '../support/http/service.js'
import { inTime } from './journal.js'
import type { Cast } from './load.js'

/** A fixed URL, because tokens contain the origin and the actual port changes with each start. */
const PUBLIC_URL = 'http://127.0.0.1:3000'
const ROLES = ['editor', 'keeper', 'walker'].map((key) => ({
  key: key as RoleKey,
  label: key,
  uuid: randomUUID(),
}))
const LONGEST_CHANGE = 120_000
const ACCOUNTS = 8
const WRITERS = 4

export type Site = Awaited<ReturnType<typeof startSite>>

type SiteOptions = {
  readonly url: string
  readonly workers: number
  readonly planted?: string | undefined
  readonly env?: Readonly<Record<string, string>>
}

/** Starts the real service with workers; it can be killed and started again. */
export async function startSite({ url, workers, planted, env = {} }: SiteOptions) {
  const made = await makeWorkplace({ store: false })
  const place = {
    folder: made.folder,
    env: { ...made.env, ...(await environment(made)), ...storeOf(url, planted), ...env },
  }
  let service: ServiceWithWorkers
  let current: Client | undefined
  /** Starts the service again, after `killAll` or `killPrimary`. */
  const start = async () => {
    current?.close()
    service = await startWithWorkers(place, workers)
    current = createClient(service.origin, () => undefined)
  }
  const close = async () => {
    current?.close()
    await service.killAll()
    await made.remove()
  }
  /** Sends requests to the current service. */
  const client: Client = {
    call: (...request) => (current as Client).call(...request),
    close: () => undefined,
  }
  await start()
  return {
    client,
    service: () => service,
    folder: made.folder,
    start,
    becomesReady: () => becomes('ready', () => isReady(client, workers)),
    becomesUnready: () => becomes('not ready', async () => (await statusOf(client)) === 503),
    /** Sends a probe on a new connection; also resolves if the service closes the connection. */
    knock: () => statusOf(client),
    close,
  }
}

async function becomes(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + LONGEST_CHANGE
  await until(async () => {
    if (performance.now() > deadline) throw new Error(`the service never reports that it is ${what}`)
    return await isSo()
  })
}

/** Each probe has a separate connection, and the primary process gives connections to the workers in turn. */
async function isReady(client: Client, workers: number): Promise<boolean> {
  for (let probe = 0; probe < 2 * workers; probe += 1) if ((await statusOf(client)) !== 200) return false
  return true
}

async function statusOf(client: Client): Promise<number | undefined> {
  const headers = { Connection: 'close' }
  const answered = client.call('GET', '/health/ready', { headers }).catch(() => undefined)
  return (await inTime(answered))?.status
}

export async function environment({
  folder,
}: Pick<Workplace, 'folder'>): Promise<Readonly<Record<string, string>>> {
  const permissions = join(folder, 'permissions.json')
  const everyone = { components: { auth: ['*'], user: ['find'] } }
  const user = { components: { auth: ['*'], pets: ['*'] } }
  await writeFile(permissions, JSON.stringify({ roles: { everyone, user } }))
  return {
    PERMISSIONS_FILE: permissions,
    PUBLIC_URL,
    SECURITY_JWT_PASSPHRASE: PASSPHRASE,
    PASSWORD_BLOCKLIST: 'off',
    REFRESH_GRACE: '60s',
  }
}

function storeOf(url: string, planted: string | undefined): Readonly<Record<string, string>> {
  if (planted === undefined) return { DATABASE_URL: url }
  const module = join(import.meta.dirname, 'planted-store-main.js')
  return { STORE_MODULE: module, PLANTED_BUG: planted, PLANTED_URL: url }
}

export async function makeCast(store: Store, round: string): Promise<Cast> {
  for (const role of ROLES) await store.roles.insert(role)
  const roles = ROLES.map(({ key }) => key)
  const emails = Array.from({ length: ACCOUNTS }, (_, n) => `guest-${String(n)}-${round}@example.com`)
  const apiKeys = await seedStore(store, { emails, roles, keys: WRITERS, name: round })
  return { accounts: emails.map((email) => ({ email, password: PASSWORD, roles })), apiKeys }
}
