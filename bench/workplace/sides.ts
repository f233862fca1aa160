import { randomBytes } from 'node:crypto'
import { CONTESTANTS, type Requests } from '../load/contestants.js'
import { hashOfPassword, PASSWORD } from './logins.js'
import {
  seedPeer,
  startPeer,
  type PeerClient,
  type PeerId,
  type PeerJob,
  type PeerSettings,
} from './peers.js'
import type { ServerProcess } from './processes.js'
import { emailOf, seedAccounts, seedSessions, seedTokens } from './seed.js'
import { startService } from './service.js'
import { inWorkplace, type Workplace } from './workplace.js'

/** One side of a comparison, with its accounts and their logins, started for each job. */
export type Side = {
  readonly id: PeerId | 'kennel'
  readonly name: string
  readonly requests: Requests
  readonly clients: readonly PeerClient[]
  readonly start: (settings?: PeerSettings) => Promise<ServerProcess>
}

const PEERS: Readonly<Record<PeerId, string>> = {
  'better-auth': 'Better Auth',
  'express-stack': 'Express stack',
  'oidc-provider': 'oidc-provider',
}

/** The names of all sides, Kennel's first. */
export const NAMES: readonly string[] = ['Kennel', ...Object.values(PEERS)]

/** Kennel and its peers, with this many accounts each, all with the same password. */
export async function seedSides(place: Workplace, count: number): Promise<readonly Side[]> {
  const emails = Array.from({ length: count }, (_, index) => emailOf(index))
  const job: PeerJob = {
    folder: place.folder,
    publicUrl: place.publicUrl,
    secret: randomBytes(64).toString('base64url'),
  }
  const sides = [await kennel(place, count)]
  for (const [id, name] of Object.entries(PEERS) as [PeerId, string][]) {
    const clients = await seedPeer(id, job, { emails, password: PASSWORD })
    const start = (settings?: PeerSettings) => startPeer(id, job, settings)
    sides.push({ id, name, requests: CONTESTANTS[id], clients, start })
  }
  return sides
}

/** Kennel without sessions, for the duration of the work. */
export async function withStatelessKennel<T>(count: number, work: (side: Side) => Promise<T>): Promise<T> {
  return await inWorkplace(
    async (place) => {
      const accounts = await place.withStore((store) => seedAccounts(store, count))
      const tokens = await seedTokens(place, accounts)
      const clients = tokens.map((accessToken, index) => ({ email: emailOf(index), accessToken }))
      return await work(kennelSide(place, clients))
    },
    { use: 'HS512', stateless: true },
  )
}

async function kennel(place: Workplace, count: number): Promise<Side> {
  const hash = await hashOfPassword()
  const clients = await place.withStore(async (store) => {
    const accounts = await seedAccounts(store, count, hash)
    return await seedSessions(place, store, accounts, count)
  })
  return kennelSide(
    place,
    clients.map((client, index) => ({ ...client, email: emailOf(index) })),
  )
}

function kennelSide(place: Workplace, clients: readonly PeerClient[]): Side {
  const requests = CONTESTANTS.kennel
  return { id: 'kennel', name: 'Kennel', requests, clients, start: () => startService(place) }
}
