import { expect } from 'chai'
import { createApiKeySecrets } from '../../src/adapters/keyring/index.js'
import { createScryptHasher } from '../../src/adapters/scrypt/index.js'
import type { RoleKey } from '../../src/domain/access/role.js'
import type { Email } from '../../src/domain/identity/email.js'
import type { Password } from '../../src/domain/identity/password.js'
import type { Store } from '../../src/ports/store.js'
import { makeWorkplace, type Serving } from '../cli/app.js'
import { type Browser, UNAVAILABLE } from '../support/http/browser.js'
import { createClient, type Client, type Reply } from '../support/http/client.js'
import { PETS } from '../support/http/pet-calls.js'
import { replyCheckBy, type ReplyCheck } from '../support/http/reply-check.js'
import { openAt } from '../support/open-at.js'
import { PASSWORD } from '../support/http/service.js'

const CHEAP = { logN: 10, r: 8, p: 1 }

export type RealService = {
  readonly client: Client
  readonly serving: Serving
  readonly apiKey: string
  readonly emails: readonly string[]
  readonly remove: () => Promise<void>
}

/** The password of every account is `PASSWORD`. The API key has all permissions on pets. */
export async function serveOn(
  url: string,
  accounts: number,
  env: Record<string, string> = {},
): Promise<RealService> {
  const place = await makeWorkplace()
  try {
    const seeded = await seed(url, accounts)
    const serving = await place.serve({ ...env, DATABASE_URL: url })
    const client = await checkedClient(serving.origin)
    const remove = async () => {
      client.close()
      serving.child.kill('SIGKILL')
      await serving.ended
      await place.remove()
    }
    return { client, serving, ...seeded, remove }
  } catch (error) {
    await place.remove()
    throw error
  }
}

/** Every reply is checked against the service's own API description. */
async function checkedClient(origin: string): Promise<Client> {
  const checks: ReplyCheck[] = []
  const client = createClient(origin, () => checks[0])
  checks.push(replyCheckBy((await client.call('GET', '/openapi.json')).text))
  return client
}

async function seed(url: string, accounts: number): Promise<Pick<RealService, 'apiKey' | 'emails'>> {
  const emails = Array.from({ length: accounts }, (_, n) => `guest-${String(n)}@example.com`)
  const store = await openAt(url, { timeout: 30_000 })
  try {
    const [apiKey = ''] = await seedStore(store, { emails, roles: [], keys: 1, name: 'faults' })
    return { apiKey, emails }
  } finally {
    await store.close()
  }
}

type Seed = {
  readonly emails: readonly string[]
  readonly roles: readonly RoleKey[]
  readonly keys: number
  readonly name: string
}

/** Creates accounts with `PASSWORD` and these roles, and API keys with this name; returns the API keys. */
export async function seedStore(
  store: Store,
  { emails, roles, keys, name }: Seed,
): Promise<readonly string[]> {
  const createdAt = Date.now()
  const passwordHash = await createScryptHasher({ cost: CHEAP, concurrency: 1 }).hash(PASSWORD as Password)
  for (const email of emails)
    await store.accounts.insert({ email: email as Email, passwordHash, createdAt, roles })
  const secrets = createApiKeySecrets()
  const fresh = Array.from({ length: keys }, () => secrets.fresh())
  for (const key of fresh)
    await store.apiKeys.insert({ name, digest: secrets.digest(key), roles: [], createdAt })
  return fresh
}

/** Returns the body of a 503 that has a retry delay; describes any other reply as text. */
export function refusedForNow(reply: Reply | undefined): unknown {
  const { status, json, headers, text } = reply ?? { status: 0, json: {}, headers: {}, text: 'no reply' }
  if (status === 503 && headers['retry-after'] === '2') return json
  return `${String(status)} ${text}`
}

export const PET_UNAVAILABLE = { code: 503, message: 'The service is unavailable, try again shortly.' }

/** No caller is treated as anonymous while the store is unavailable. */
export async function expectEveryRouteRefuses(
  { client, apiKey }: RealService,
  browser: Browser,
): Promise<void> {
  const headers = { 'X-API-Key': apiKey }
  const [pets, pet, ...identity] = await Promise.all([
    client.call('GET', PETS, { headers }),
    client.call('POST', PETS, { json: { name: 'Rex' }, headers }),
    browser.getIdentity(),
    browser.login(),
    browser.refresh(),
    browser.logout(),
  ])
  for (const reply of [pets, pet]) expect(refusedForNow(reply)).to.deep.equal(PET_UNAVAILABLE)
  for (const reply of identity) expect(refusedForNow(reply)).to.deep.equal(UNAVAILABLE)
}

export async function probe({ client }: Pick<RealService, 'client'>): Promise<number> {
  const { status, json } = await client.call('GET', '/health/ready')
  expect(json).to.deep.equal({ status: status === 200 ? 'ok' : 'unavailable' })
  return status
}

export async function becomes(service: Pick<RealService, 'client'>, status: number): Promise<void> {
  while ((await probe(service)) !== status) await new Promise((resolve) => setTimeout(resolve, 50))
}
