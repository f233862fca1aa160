import { expect } from 'chai'
import type { AttemptCount } from '../../../src/ports/attempt-limiter.js'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { systemDigest } from '../../../src/adapters/system/index.js'
import type { ClientContext } from '../../../src/application/client-context.js'
import {
  withAttemptCounted,
  createCodeThrottle,
  createThrottle,
  digestOf,
  networkLimitOf,
  type Throttle,
  type ThrottleParts,
} from '../../../src/application/identity/throttle.js'
import { factorHolder } from '../../support/factor.js'
import { createPostbox, ownTemplates } from '../../support/mail/postbox.js'
import { SELF_SERVICE } from '../../support/permissions.js'
import { codeOf, refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'
import { createGate, watching } from '../../support/watched-store.js'

const LIMIT = { count: 2, window: 60_000 }
const EMAIL = 'ada@example.com'

describe('the login throttle', () => {
  let now: number
  let throttle: ReturnType<typeof createThrottle>
  beforeEach(() => {
    now = 1_000_000
    const { attempts } = createMemoryStore()
    throttle = createThrottle({ attempts, limit: LIMIT, digest: systemDigest, clock: () => now })
  })

  const times = async (count: number, email = EMAIL, address?: string) => {
    for (let attempt = 0; attempt < count; attempt += 1)
      await throttle(email, address === undefined ? undefined : { address })
  }

  for (const [stranger, owner] of [
    [undefined, '192.0.2.1'],
    ['192.0.2.1', undefined],
    ['192.0.2.1', '192.0.2.2'],
    ['2001:db8::1', '2001:db8:0:1::1'],
  ])
    it(`does not limit ${owner ?? 'an unknown address'} after attempts from ${stranger ?? 'an unknown address'}`, async () => {
      for (let attempt = 0; attempt < 100; attempt += 1)
        await times(1, EMAIL, stranger).catch(() => undefined)
      expect(await codeOf(times(1, EMAIL, stranger))).to.equal('too-many-attempts')
      await times(1, EMAIL, owner)
    })

  it('reports the time until the next attempt is allowed', async () => {
    await times(2, EMAIL, '192.0.2.1')
    now += 20_000
    expect(await refusalOf(times(1, EMAIL, '192.0.2.1'))).to.have.property('retryAfter', 40_000)
  })

  it('reports a positive retry time, even if an attempt was refunded in the meantime', async () => {
    const { attempts } = createMemoryStore()
    const refused = { ...attempts, take: async () => ({ kind: 'refused', until: now }) as const }
    const hasty = createThrottle({ attempts: refused, limit: LIMIT, digest: systemDigest, clock: () => now })
    expect(await refusalOf(hasty(EMAIL, undefined))).to.have.property('retryAfter', 1)
  })

  it('counts all spellings of an email as the same account', async () => {
    const here = '192.0.2.1'
    await times(1, 'ΝΙΚΟΣ@bücher.example', here)
    await times(1, 'νικος@xn--bcher-kva.example.', here)
    expect(await codeOf(times(1, 'νικοσ@BÜCHER.example', here))).to.equal('too-many-attempts')
    await times(2, 'no email')
    await times(2, 'NO EMAIL')
  })

  it('counts wrong passwords, and refunds attempts that succeed, or that fail for a different reason', async () => {
    const attempt = { email: EMAIL, client: { address: '192.0.2.1' } }
    for (let call = 0; call < 5; call += 1)
      expect(await withAttemptCounted(throttle, attempt, () => Promise.resolve(7))).to.equal(7)
    const broken = withAttemptCounted(throttle, attempt, () => Promise.reject(new Error('the store is away')))
    expect(await broken.catch(String)).to.equal('Error: the store is away')
    for (let call = 0; call < 2; call += 1)
      expect(await withAttemptCounted<number>(throttle, attempt, () => Promise.resolve(undefined))).to.equal(
        undefined,
      )
    expect(await codeOf(withAttemptCounted(throttle, attempt, () => Promise.resolve(7)))).to.equal(
      'too-many-attempts',
    )
  })
})

describe('the attempt counters', () => {
  const taken = async (make: (parts: ThrottleParts) => Throttle, client: ClientContext | undefined) => {
    const all: AttemptCount[] = []
    const attempts = {
      take: async (counts: readonly AttemptCount[]) => {
        all.push(...counts)
        return { kind: 'taken', attempt: undefined }
      },
    } as never
    await make({ attempts, digest: systemDigest, clock: () => 0 })(EMAIL, client)
    return all
  }
  const account = digestOf(systemDigest, EMAIL)
  const client = { address: '2001:db8:1:2:3::4' }
  const network = '2001:db8:1:2::/64'

  it('count codes per account and network, and also per account alone', async () => {
    const [few, most] = [5, 20].map((count) => ({ count, window: 900_000 }))
    for (const [from, name] of [
      [client, network],
      [undefined, 'anywhere'],
    ] as const)
      expect(await taken(createCodeThrottle, from)).to.deep.equal([
        { name: `code account ${account} from ${name}`, limit: few },
        { name: `code account ${account}`, limit: most },
      ])
  })

  it('also count logins per network if the network is known', async () => {
    expect(networkLimitOf(LIMIT)).to.deep.equal({ count: 10, window: LIMIT.window })
    const logins = (parts: ThrottleParts) => createThrottle({ ...parts, limit: LIMIT })
    const [five, ten] = [5, 10].map((times) => ({ ...LIMIT, count: times * LIMIT.count }))
    expect(await taken(logins, client)).to.deep.equal([
      { name: `login account ${account} from ${network}`, limit: LIMIT },
      { name: `login network ${network}`, limit: five },
      { name: `login account ${account}`, limit: ten },
    ])
    expect(await taken(logins, {})).to.deep.equal([
      { name: `login account ${account} from anywhere`, limit: ten },
    ])
  })
})

const ADA = 'ada@example.com'
const EMAILS = [ADA, 'stranger@example.com', 'ADA@Example.com', 'no email']
const client = { address: '192.0.2.1' }
const password = 'a wrong password'
const COUNT = 3

/** Creates a service with Ada's account; `take` returns the names of the store calls since the previous `take`. */
async function watched(options: Parameters<typeof composeUseCases>[0] = {}) {
  const calls: string[] = []
  const store = watching((name, run) => {
    calls.push(name)
    return run()
  })(createMemoryStore())
  const mail = { mailer: createPostbox().mailer, templates: ownTemplates() }
  const loginLimit = { count: COUNT, window: 60_000 }
  const given = { store, loginLimit, permissions: SELF_SERVICE, mail, mode: 'stateful' } as const
  const kennel = await composeUseCases({ ...given, ...options })
  return { kennel, take: () => calls.splice(0).filter((name) => !name.startsWith('attempts.')) }
}

/** Attempts with an email that an anonymous caller chooses. */
const BY_EMAIL: Readonly<Record<string, (kennel: Composed, email: string) => Promise<unknown>>> = {
  'a login': ({ useCases }, email) => useCases.login({ email, password, presented: { client } }),
  'HTTP Basic': ({ useCases }, email) =>
    useCases.authenticatePetClient({ basic: { email, password }, client }),
  'HTTP Basic with text that cannot be a password': ({ useCases }, email) =>
    useCases.authenticatePetClient({ basic: { email, password: '\u0000' }, client }),
  'a reset token': ({ useCases }, email) =>
    useCases.consumeResetToken({ email, resetToken: 'none', password, presented: { client } }),
  'a request for a reset mail': ({ useCases }, email) =>
    useCases.requestPasswordReset({ email, presented: { client } }),
}

type Caller = {
  readonly presented: object
  /** The login of an account whose second factor is not confirmed. */
  readonly unconfirmed: object
  readonly code: () => string
}

/** Attempts by a logged-in caller. The code is right if the password is what counts as a guess; otherwise the code is wrong. */
const BY_LOGIN: Readonly<Record<string, (kennel: Composed, caller: Caller) => Promise<unknown>>> = {
  'a change of the password': ({ useCases }, { presented }) =>
    useCases.changePassword({ password, newPassword: 'a password of tomorrow', presented }),
  'the deletion of an account': ({ useCases }, { presented, code }) =>
    useCases.deleteAccount({ password, code: code(), presented }),
  'the export of an account': ({ useCases }, { presented, code }) =>
    useCases.exportAccount({ password, code: code(), presented }),
  'a confirmation of the login': ({ useCases }, { presented, code }) =>
    useCases.confirmLogin({ password, code: code(), presented }),
  'a new second factor': ({ useCases }, { presented }) => useCases.setUpSecondFactor({ password, presented }),
  'the removal of a second factor': ({ useCases }, { presented, code }) =>
    useCases.removeSecondFactor({ password, code: code(), presented }),
  'new recovery codes': ({ useCases }, { presented, code }) =>
    useCases.renewRecoveryCodes({ password, code: code(), presented }),
  'a code that confirms a second factor': ({ useCases }, { unconfirmed: presented }) =>
    useCases.confirmSecondFactor({ code: '000000', presented }),
}

/** Repeats this attempt until its limit is reached; the limit for codes is five. */
async function reachLimit(attempt: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 6 * COUNT; tries += 1) await attempt().catch(() => undefined)
  expect(await codeOf(attempt())).to.equal('too-many-attempts')
}

describe('an attempt above a limit', () => {
  for (const [name, attempt] of Object.entries(BY_EMAIL))
    it(`is refused without a store read: ${name}`, async () => {
      const { kennel, take } = await watched()
      await kennel.account(ADA)
      for (const email of EMAILS) {
        if (email === 'no email' && !name.startsWith('HTTP Basic')) continue
        await reachLimit(() => attempt(kennel, email))
        take()
        expect(await codeOf(attempt(kennel, email))).to.equal('too-many-attempts')
        expect(take(), email).to.deep.equal([])
      }
    })

  for (const [name, attempt] of Object.entries(BY_LOGIN))
    it(`is refused after reading only the caller's login: ${name}`, async () => {
      const { kennel, take } = await watched()
      const holder = await factorHolder(kennel, ADA)
      await kennel.account('bob@example.com')
      const unconfirmed = { ...presentedBy(await kennel.login('bob@example.com')), client }
      await kennel.useCases.setUpSecondFactor({ password: PASSWORD, presented: unconfirmed })
      const presented = { ...presentedBy(holder.issued), client }
      const caller = { presented, unconfirmed, code: () => holder.code(1) }
      await reachLimit(() => attempt(kennel, caller))
      take()
      expect(await codeOf(attempt(kennel, caller))).to.equal('too-many-attempts')
      expect([...new Set(take())]).to.deep.equal(['sessions.find'])
    })
})

describe('HTTP Basic authentication while too many verifications are waiting', () => {
  it('is refused without a store read', async () => {
    const gate = createGate()
    const { kennel, take } = await watched({
      loginLimit: { count: 1_000, window: 60_000 },
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: async (...given) => {
          await gate.pass()
          return await hasher.verify(...given)
        },
      }),
    })
    await kennel.account(ADA)
    const guess = (email: string, n: number | string) =>
      kennel.useCases.authenticatePetClient({ basic: { email, password: `guess ${n}` }, client })
    // Now one verification is running, and 16 are waiting.
    const waiting = Array.from({ length: 17 }, (_, n) => guess(ADA, n).catch(() => undefined))
    await gate.reached
    take()
    for (const email of EMAILS) {
      expect(await codeOf(guess(email, 'last'))).to.equal('overloaded')
      expect(take(), email).to.deep.equal([])
    }
    gate.release()
    await Promise.all(waiting)
  })
})
