import { createHash } from 'node:crypto'
import { createMemoryStore } from '../../src/adapters/memory/store.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import type { KeyedCredentials } from '../../src/composition-root/credentials.js'
import type { FactorSecret, RecoveryCode } from '../../src/domain/identity/second-factor.js'
import type { SessionKey } from '../../src/domain/identity/session.js'
import type { Randomness } from '../../src/ports/system.js'
import {
  createBrowser,
  CREATE_PROJECT,
  credentials,
  GET_IDENTITY,
  LOGIN,
  REFRESH,
} from '../support/http/browser.js'
import { sendOddRequests } from './odd-requests.js'
import type { Call, Client, Reply } from '../support/http/client.js'
import { proofIn, startResetting } from '../support/http/resetting.js'
import { type TestOptions, PASSWORD } from '../support/http/service.js'
import { tokenIn } from '../support/mail/postbox.js'
import { oneTimeCode } from '../support/one-time-code.js'
import { RECORDED_PERMISSIONS, sendRecorded, type Clients, type Send } from './recorded-requests.js'
import { PETS } from '../support/http/pet-calls.js'
import { EVERY_PROTECTED_ROUTE } from '../support/http/protected-routes.js'

const [APP, PHONE, EVIL] = ['https://app.example', 'capacitor://localhost', 'https://evil.example']
/** The origins that `CORS_ORIGINS` lists in the recording. */
const LISTED = [APP, PHONE]
const ORIGINS = [...LISTED, EVIL, 'https://app.example:8443', 'null', '*']
const PREFLIGHT = { 'Access-Control-Request-Method': 'POST' }
const ASKING = { ...PREFLIGHT, 'Access-Control-Request-Headers': 'content-type,traceparent,x-authorization' }
const BOB = { email: 'bob@example.com', password: PASSWORD }

export type Recording = {
  readonly client: string
  readonly method: string
  readonly path: string
  readonly json: unknown
  readonly call: Call
  readonly reply: Reply
}

type Recorded = Pick<TestOptions, 'mode' | 'tokenUse' | 'loginLimit' | 'passkeys'> & {
  readonly sendAll: (clients: Clients) => Promise<void>
  readonly corsOrigins?: readonly string[]
  /** Whether every reply in the API description must be recorded. */
  readonly isWhole?: boolean
}

const LIMITED = { sendAll: sendRecorded, passkeys: true, loginLimit: { count: 3, window: 60_000 } }

/**
 * The services of each recording, whose replies are shown together. The token formats are deterministic: the same claims result in the
 * same token.
 */
export const RECORDINGS: Readonly<Record<string, Readonly<Record<string, Recorded>>>> = {
  modes: {
    stateful: { ...LIMITED, mode: 'stateful', tokenUse: 'HS512', isWhole: true },
    'stateless-revocable': { ...LIMITED, mode: 'stateless-revocable', tokenUse: 'EdDSA', isWhole: true },
    // In this mode, accounts cannot act as other accounts.
    stateless: { ...LIMITED, mode: 'stateless', tokenUse: 'EdDSA' },
  },
  'odd-requests': { stateful: { sendAll: sendOddRequests, mode: 'stateful', tokenUse: 'HS512' } },
  'listed-origins': {
    stateful: { sendAll: sendFromOrigins, mode: 'stateful', tokenUse: 'HS512', corsOrigins: LISTED },
  },
}

/** Sends the recorded requests to a service whose clock and randomness are fixed. */
export async function record({
  sendAll,
  corsOrigins = [],
  ...options
}: Recorded): Promise<readonly Recording[]> {
  const { service, sendMails, postbox } = await startResetting({
    ...options,
    store: createMemoryStore(),
    settings: { publicUrl: 'http://127.0.0.1:3000', corsOrigins, production: true },
    permissions: RECORDED_PERMISSIONS,
    randomness: countingRandomness(),
    aroundCredentials: withoutChance,
  })
  const recordings: Recording[] = []
  const sender =
    (client: string, send: Client['call']): Send =>
    async (method, path, json, call = {}) => {
      // Each request is one second later than the previous request.
      service.clock.now += 1000
      const reply = await send(method, path, { ...call, ...(json !== undefined && { json }) })
      recordings.push({ client, method, path, json, call, reply })
      return reply
    }
  const browserOf = async (name: string, ...roles: readonly string[]) => {
    await service.account(`${name}@example.com`, roles)
    return createBrowser(service, `${name}@example.com`)
  }
  try {
    const ada = await browserOf('ada', 'admin')
    const bob = await browserOf('bob', 'project-editor')
    const cleo = await browserOf('cleo')
    await browserOf('eve', 'admin')
    const fay = await browserOf('fay')
    const key = await service.apiKey()
    const headersOfProgram = { 'X-API-Key': key }
    await sendAll({
      anyone: sender('anyone', (...request) => service.client.call(...request)),
      ada: sender('ada', ada.send),
      bob: sender('bob', bob.send),
      cleo: sender('cleo', cleo.send),
      fay: sender('fay', fay.send),
      program: sender('program', (method, path, call = {}) =>
        service.client.call(method, path, { ...call, headers: { ...headersOfProgram, ...call.headers } }),
      ),
      key,
      freshKey: () => service.apiKey(),
      heldBy: (client) => ({ ada, bob })[client].held(),
      mailedToken: async () => {
        await sendMails()
        return tokenIn(postbox.arrived.findLast(({ text }) => text.includes('resetToken')))
      },
      mailed: async () => {
        await sendMails()
        return proofIn(postbox)
      },
      invited: async (email) => {
        const caller = OPERATOR
        await service.useCases.createRole({ caller, key: 'editor', label: 'Editor' })
        await service.useCases.inviteUser({ caller, email, roles: ['editor'] })
        await service.useCases.deleteRole({ caller, key: 'editor' })
        await sendMails()
        return proofIn(postbox)
      },
      codeOf: (secret) => {
        // The service accepts each code only once, and each time step has a new code.
        service.clock.now += 30_000
        return oneTimeCode(String(secret), service.clock.now + 1000)
      },
      wait: (milliseconds) => (service.clock.now += milliseconds),
    })
  } finally {
    await service.close()
  }
  return recordings
}

/** Bytes that look random and are the same in each run. */
function countingBytes(purpose: string): () => Buffer {
  let count = 0
  return () => {
    count += 1
    return createHash('sha256').update(`${purpose} ${count}`).digest()
  }
}

function countingRandomness(): Randomness {
  const bytes = countingBytes('the application')
  return {
    base64url: (count) => bytes().subarray(0, count).toString('base64url'),
    uuid: () =>
      bytes()
        .toString('hex')
        .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5'),
  }
}

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const base32 = (bytes: Buffer) => [...bytes].map((byte) => BASE32[byte % 32]).join('')

function withoutChance(credentials: KeyedCredentials): KeyedCredentials {
  const keys = countingBytes('session keys')
  const secrets = countingBytes('factor secrets')
  const codes = countingBytes('recovery codes')
  return {
    ...credentials,
    sessionKeys: { ...credentials.sessionKeys, fresh: () => keys().toString('base64url') as SessionKey },
    oneTimeCodes: {
      ...credentials.oneTimeCodes,
      freshSecret: () => base32(secrets()) as FactorSecret,
      freshRecoveryCode: () => base32(codes().subarray(0, 16)) as RecoveryCode,
    },
  }
}

/** Requests from pages on listed and unlisted origins. */
async function sendFromOrigins({ anyone, bob, heldBy }: Clients): Promise<void> {
  await bob('POST', LOGIN, BOB)
  for (const Origin of ORIGINS) {
    const call = { headers: { Origin } }
    await bob('GET', GET_IDENTITY, undefined, call)
    await bob('POST', CREATE_PROJECT, {}, call)
    await anyone('POST', LOGIN, BOB, call)
    await anyone('POST', LOGIN, { ...BOB, password: 'wrong' }, call)
    await anyone('POST', LOGIN, undefined, { ...call, body: 'x'.repeat(20_000) })
    for (const path of [GET_IDENTITY, LOGIN, '/api/nothing']) await anyone('GET', path, undefined, call)
    await anyone('OPTIONS', LOGIN, undefined, { headers: { Origin, ...PREFLIGHT } })
  }
  const paths = EVERY_PROTECTED_ROUTE.map(({ path }) => path)
  for (const path of new Set([LOGIN, GET_IDENTITY, REFRESH, PETS, ...paths]))
    await anyone('OPTIONS', path, undefined, { headers: { Origin: APP, ...ASKING } })
  await anyone('POST', LOGIN, BOB, { headers: { Origin: APP, 'Sec-Fetch-Site': 'cross-site' } })
  // A cookie alone does not authenticate a page of another origin.
  const { cookie } = heldBy('bob')
  const foreign = { ...credentials({ cookie }), Origin: EVIL, 'Sec-Fetch-Site': 'cross-site' }
  for (const { method, path, json } of EVERY_PROTECTED_ROUTE) {
    const form = json && { body: JSON.stringify(json) }
    await anyone(method, path, undefined, { ...form, headers: { ...foreign, 'Content-Type': 'text/plain' } })
  }
  await bob('GET', GET_IDENTITY)
}
