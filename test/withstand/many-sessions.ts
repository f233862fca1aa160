import { clientsOf } from '../../bench/scale/stores.js'
import { fillPopulation, withFastPut } from '../../bench/scale/fill.js'
import { LIFETIMES } from '../../bench/workplace/workplace.js'
import { createCredentials } from '../../src/composition-root/credentials.js'
import type { PasswordHash } from '../../src/domain/identity/password.js'
import { envelopeOf, identityWith, keep, refreshWith, type Held } from '../support/http/browser.js'
import { PASSPHRASE } from '../support/http/service.js'
import type { Reply } from '../support/http/client.js'
import { told, type Actor } from './journal.js'
import type { LoadClient, Scene } from './load.js'
import { PUBLIC_URL } from './site.js'

/** The clients of all sessions, and the refreshes of all of them in a second. */
const CLIENTS = 32
const REFRESHES = 100
/** Milliseconds between two refreshes of a client. */
const INTERVAL = (1_000 / REFRESHES) * CLIENTS

/** Fills an SQLite file with sessions, each of a separate account; returns their credentials, for each client. */
export async function fillSessions(path: string, count: number): Promise<readonly Held[][]> {
  const credentials = await createCredentials({
    ...{ passphrases: { current: PASSPHRASE, previous: [] }, use: 'HS512', issuer: PUBLIC_URL },
    ...{ lifetimes: LIFETIMES, stateless: false },
  })
  const population = {
    ...{ size: { pets: 0, accounts: count, sessions: count, auditRecords: 0 }, madeAt: Date.now() },
    ...{ kid: credentials.tokens.currentKid, lifetimes: LIFETIMES, passwordHash: '' as PasswordHash },
  }
  await withFastPut(path, (put) => fillPopulation(put, population))
  const all = await clientsOf({ place: { credentials }, population }, count)
  // The cookie has no prefix without TLS.
  const held = all.map((client) => ({ ...client, cookie: client.cookie.replace('__Host-', '') }))
  return Array.from({ length: CLIENTS }, (_, n) => held.filter((_, number) => number % CLIENTS === n))
}

/** Reads its sessions at random, and refreshes them at a steady rate. They have the credentials of the last reply. */
export function createSessionClient({ random, service }: Scene, actor: Actor, sessions: Held[]): LoadClient {
  const refreshed = new Set<number>()
  let due = performance.now()

  async function send(what: string, call: typeof refreshWith, number: number): Promise<Reply> {
    const held = sessions[number] as Held
    const { reply } = await actor.insist(`${what} session ${String(number)}`, () => call(service, held))
    if (reply.status !== 200 || !envelopeOf(reply).view.loggedIn)
      actor.violate(`session ${String(number)} got ${told(reply)}`)
    return reply
  }
  const look = (number: number) => send('read', identityWith, number)
  const refresh = async (number: number) => {
    const reply = await send('refresh', refreshWith, number)
    sessions[number] = keep(sessions[number] as Held, reply)
    refreshed.add(number)
  }

  return {
    step: async () => {
      const number = random.below(sessions.length)
      const isDue = performance.now() >= due
      if (isDue) due += INTERVAL
      await (isDue ? refresh(number) : look(number))
    },
    readBack: async () => {
      for (const number of refreshed) {
        await look(number)
        await refresh(number)
      }
      return refreshed.size
    },
  }
}
