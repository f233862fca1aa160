import type { ClientContext } from '../../../src/application/client-context.js'
import type { AttemptCount } from '../../../src/ports/attempt-limiter.js'
import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import { systemDigest } from '../../../src/adapters/system/index.js'
import {
  withAttemptCounted,
  createCodeThrottle,
  createThrottle,
  digestOf,
  networkLimitOf,
  type Throttle,
  type ThrottleParts,
} from '../../../src/application/identity/throttle.js'
import { codeOf, refusalOf } from '../../support/refusal-of.js'

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

  it('accepts a fixed number of attempts per account and network in each window', async () => {
    await times(2, EMAIL, '192.0.2.1')
    expect(await codeOf(times(1, EMAIL, '192.0.2.1'))).to.equal('too-many-attempts')
    await times(1, EMAIL, '192.0.2.2')
    now += LIMIT.window
    await times(1, EMAIL, '192.0.2.1')
  })

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

  it('is optional', async () => {
    const attempt = { email: EMAIL, client: undefined }
    const results: unknown[] = []
    for (let call = 0; call < 50; call += 1)
      results.push(await withAttemptCounted<number>(undefined, attempt, () => Promise.resolve(call)))
    expect(results).to.deep.equal(Array.from({ length: 50 }, (_, call) => call))
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
