import { expect } from 'chai'
import { credentialsIn, type Serving, type Workplace } from '../cli/app.js'

/** Settings that operators must keep for a restore, because a backup does not contain them. */
export const KEPT = {
  SECURITY_JWT_PASSPHRASE: 'Only-for-tests: 4 kennels & 12 hounds',
  PUBLIC_URL: 'http://127.0.0.1:1',
}
const EMAIL = 'ada@example.com'
const PASSWORD = 'a good long password'
const WRITERS = 4

export type BackupData = Awaited<ReturnType<typeof createBackupData>>

/** Creates an account that is logged in, and an API key; each of these changes has an audit record. */
export async function createBackupData(place: Workplace, { logIn }: Serving, env: Record<string, string>) {
  await place.app(['user', 'create', EMAIL, '--password-stdin'], { env, input: PASSWORD })
  const { stdout } = await place.app(['apikey', 'create', 'earlier'], { env })
  const login = await logIn(EMAIL, PASSWORD)
  const { view } = (await login.clone().json()) as { view: { refreshToken: string } }
  const { key: apiKey } = JSON.parse(stdout) as { key: string }
  return { credentials: await credentialsIn(login), refreshToken: view.refreshToken, apiKey }
}

export type Writing = ReturnType<typeof writePets>

/** Clients that create pets one after another until they are stopped or the service ends. */
export function writePets({ origin }: Serving, { apiKey }: BackupData) {
  const acknowledged = new Map<number, string>()
  let stopped = false
  const write = async (writer: number) => {
    for (let count = 0; !stopped; count += 1) {
      const name = `pet ${String(writer)}-${String(count)}`
      const reply = await post(`${origin}/v1/pets`, { name }, { 'X-API-Key': apiKey })
      if (reply.status === 201)
        acknowledged.set(Number(reply.headers.get('location')?.split('/').at(-1)), name)
      await reply.arrayBuffer()
    }
  }
  const writers = Array.from({ length: WRITERS }, (_, writer) => write(writer).catch(() => undefined))
  return {
    acknowledged,
    stop: async () => {
      stopped = true
      await Promise.all(writers)
    },
  }
}

/**
 * Serves a restored store, which must contain the earlier login and audit records. Returns the pets in it, and the ID of
 * a pet that is created afterwards.
 */
export async function restored(
  place: Workplace,
  { credentials, refreshToken, apiKey }: BackupData,
  DATABASE_URL: string,
): Promise<{ readonly pets: Map<number, string>; readonly nextId: number }> {
  const env = { ...KEPT, DATABASE_URL }
  const service = await place.serve(env)
  const { origin } = service
  const audit = await place.app(['audit', 'list', '--json'], { env })
  const events = (JSON.parse(audit.stdout) as { event: string }[]).map(({ event }) => event)
  const identity = await fetch(`${origin}/api/auth/get-identity`, { headers: credentials })
  const refresh = await post(`${origin}/api/auth/refresh`, { refreshToken }, { Cookie: credentials.Cookie })
  const pets = await allPets(origin, apiKey)
  const next = await post(`${origin}/v1/pets`, { name: 'Next' }, { 'X-API-Key': apiKey })
  await service.stop()
  expect([identity.status, refresh.status]).to.deep.equal([200, 200])
  expect(events).to.deep.equal(['user.create', 'apikey.create', 'login'])
  return { pets, nextId: Number(next.headers.get('location')?.split('/').at(-1)) }
}

async function allPets(origin: string, apiKey: string): Promise<Map<number, string>> {
  const pets = new Map<number, string>()
  let search = '?limit=100'
  while (search !== '') {
    const page = await fetch(`${origin}/v1/pets${search}`, { headers: { 'X-API-Key': apiKey } })
    for (const { id, name } of (await page.json()) as { id: number; name: string }[]) pets.set(id, name)
    const next = page.headers.get('x-next')
    search = next ? new URL(next, origin).search : ''
  }
  return pets
}

async function post(url: string, body: object, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
}
