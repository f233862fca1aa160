import { expect } from 'chai'
import { openPasskeys, recordServing } from '../../src/composition-root/open-parts.js'
import { PRODUCTION, settingsOf } from '../configuration/reading.js'
import { createAuthenticator } from '../support/passkey-authenticator.js'
import { createSandbox } from 'sinon'
import { withInstances, type InstanceRecords } from '../../src/adapters/upgrades.js'
import { unavailable, unusable } from '../../src/domain/refusal.js'
import { refusalOf } from '../support/refusal-of.js'
import { collectingLog } from '../support/log-collector.js'

const CHALLENGE = Buffer.alloc(32, 7).toString('base64url')
const PUBLIC_URL = 'https://pets.example'
const CORS_ORIGINS = 'https://pets.test,http://pets.test,http://localhost:5173,capacitor://localhost'

describe('the passkey verifier of a service', () => {
  it('accepts its own origin, and the origins in CORS_ORIGINS on which browsers support passkeys', async () => {
    const settings = settingsOf({ ...PRODUCTION, PUBLIC_URL, PASSKEYS: 'on', CORS_ORIGINS })
    const { passkeyVerifier } = await openPasskeys(settings, PUBLIC_URL)
    const owner = { handle: '7', name: 'ada@example.com' }
    const options = passkeyVerifier?.creationOptions({ challenge: CHALLENGE, owner, exclude: [] }) ?? {}
    expect(options['rp']).to.include({ id: 'pets.example' })
    const outcomes: Record<string, string | undefined> = {}
    for (const origin of [PUBLIC_URL, ...CORS_ORIGINS.split(',')]) {
      const response = createAuthenticator().create(options, { origin })
      outcomes[origin] = (await passkeyVerifier?.verifyRegistration(response, CHALLENGE))?.kind
    }
    expect(outcomes).to.deep.equal({
      'https://pets.example': 'verified',
      'https://pets.test': 'verified',
      'http://pets.test': 'refused',
      'http://localhost:5173': 'verified',
      'capacitor://localhost': 'verified',
    })
  })

  it('is absent if passkeys are off', async () => {
    expect(await openPasskeys(settingsOf(PRODUCTION), PUBLIC_URL)).to.deep.equal({})
  })
})

const MINUTE = 60_000

describe('the record of a serving instance', () => {
  const sandbox = createSandbox()
  afterEach(() => sandbox.restore())

  function arrange(put: InstanceRecords['put'] = () => Promise.resolve()) {
    const timers = sandbox.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const calls: unknown[] = []
    const store = withInstances(
      {},
      {
        put: async (id, at) => {
          calls.push(['put', id, at])
          await put(id, at)
        },
        remove: (id) => Promise.resolve(void calls.push(['remove', id])),
      },
    )
    const { log, lines } = collectingLog()
    let now = 0
    const serving = { clock: () => now, log }
    const later = async () => {
      now += MINUTE
      timers.tick(MINUTE)
      await new Promise((resolve) => setImmediate(resolve))
    }
    return { calls, lines, later, begin: () => recordServing(store, serving) }
  }

  it('is written at the start and once a minute, and removed at the end', async () => {
    const { calls, later, begin } = arrange()
    const end = await begin()
    await later()
    await end()
    await later()
    const [[, id]] = calls as [[string, string]]
    expect(id).to.match(new RegExp(`/${process.pid}/`))
    expect(calls).to.deep.equal([
      ['put', id, 0],
      ['put', id, MINUTE],
      ['remove', id],
    ])
  })

  it('is removed after a write that is still running at shutdown', async () => {
    let release: () => void = () => undefined
    const { calls, later, begin } = arrange(async (_, at) => {
      if (at > 0) await new Promise<void>((resolve) => (release = resolve))
    })
    const end = await begin()
    await later()
    const ended = end()
    await new Promise((resolve) => setImmediate(resolve))
    expect(calls).to.have.length(2)
    release()
    await ended
    expect(calls).to.have.length(3)
  })

  it('does not end the service if the record cannot be written', async () => {
    const { lines, later, begin } = arrange(() => Promise.reject(unavailable('away')))
    const end = await begin()
    await later()
    await end()
    expect(lines.map(({ level }) => level)).to.deep.equal(['warn', 'warn'])
  })

  it('prevents the start if it cannot be written because the store has become unusable', async () => {
    const { begin } = arrange(() => Promise.reject(unusable('incompatible-store', 'too new')))
    expect((await refusalOf(begin())).code).to.equal('incompatible-store')
  })

  it('is not written to a custom store', async () => {
    const { log } = collectingLog()
    await (
      await recordServing({}, { clock: () => 0, log })
    )()
  })
})
