import { expect } from 'chai'
import { restore, useFakeTimers } from 'sinon'
import { askAuthenticator, signalAccepted } from '../../src/client/passkey.js'
import { withGlobals } from '../support/globals.js'
import { failureOf } from './clients.js'

type Asked = {
  readonly publicKey: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  readonly mediation?: string
}
type Act = (asked: Asked) => Promise<unknown>

const OPTIONS = { challenge: '-_8', timeout: 300_000 }
const bytes = (...all: number[]) => new Uint8Array(all)
const RESPONSE = {
  ...{
    clientDataJSON: bytes(1).buffer,
    authenticatorData: bytes(2).buffer,
    signature: bytes(251, 255).buffer,
  },
  userHandle: null,
}
const CREDENTIAL = { id: 'Kg', type: 'public-key', response: RESPONSE }

/** Returns a function that begins a ceremony, and a counter of the calls to that function. */
function beginning(options: object = OPTIONS) {
  const state = { count: 0 }
  const begin = async () => {
    state.count += 1
    return Response.json({ view: { options } })
  }
  return { state, begin }
}

/** Calls `run` in a browser in which `act` replaces the authenticators. */
const inBrowser = (act: Act, run: () => Promise<void>, more: object = {}) =>
  withGlobals(
    {
      PublicKeyCredential: { isConditionalMediationAvailable: async () => true, ...more },
      navigator: { credentials: { create: act, get: act } },
    },
    run,
  )

/** Waits, as a browser does, until the request is aborted. */
const waiting: Act = ({ signal }) =>
  new Promise((_resolve, reject) => {
    const abort = () => reject(new DOMException('aborted', 'AbortError'))
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  })

describe('a client that requests a passkey', () => {
  afterEach(() => restore())

  it('passes bytes to the browser, and returns the response as JSON', async () => {
    const asked: Asked[] = []
    const act: Act = async (one) => {
      asked.push(one)
      return CREDENTIAL
    }
    const user = { id: 'MQ', name: 'ada@example.com' }
    const options = {
      ...OPTIONS,
      user,
      rp: { id: 'x' },
      excludeCredentials: [{ id: 'Kg', type: 'public-key' }],
    }
    await inBrowser(act, async () => {
      expect(
        JSON.parse(JSON.stringify(await askAuthenticator('create', beginning(options).begin))),
      ).to.deep.equal({
        ...{ id: 'Kg', rawId: 'Kg', type: 'public-key' },
        response: { clientDataJSON: 'AQ', authenticatorData: 'Ag', signature: '-_8' },
      })
    })
    expect(asked.map(({ publicKey, mediation }) => ({ ...publicKey, mediation }))).to.deep.equal([
      {
        ...{ challenge: bytes(251, 255), timeout: 300_000, rp: { id: 'x' }, mediation: 'optional' },
        user: { ...user, id: bytes(49) },
        excludeCredentials: [{ id: bytes(42), type: 'public-key' }],
        allowCredentials: [],
      },
    ])
  })

  for (const [name, code] of [
    ['NotAllowedError', 'cancelled'],
    ['InvalidStateError', 'Duplicate'],
    ['SecurityError', 'unsupported'],
  ])
    it(`fails with ${code} if the browser rejects with ${name}`, async () => {
      const act: Act = () => Promise.reject(new DOMException('no', name))
      await inBrowser(act, async () => {
        expect((await failureOf(askAuthenticator('get', beginning().begin))).code).to.equal(code)
      })
    })

  it('fails with unsupported, and sends nothing, if the browser has no WebAuthn or no autofill', async () => {
    const { begin, state } = beginning()
    expect((await failureOf(askAuthenticator('get', begin))).code).to.equal('unsupported')
    const old = { isConditionalMediationAvailable: undefined }
    const run = async () => {
      const asking = askAuthenticator('get', begin, { autofill: true })
      expect((await failureOf(asking)).code).to.equal('unsupported')
    }
    await inBrowser(waiting, run, old)
    expect(state.count).to.equal(0)
  })

  it('rejects with the error that the service returns', async () => {
    const begin = async () => Response.json({ view: { messages: [] } }, { status: 429 })
    await inBrowser(waiting, async () => {
      expect(await failureOf(askAuthenticator('get', begin))).to.include({ code: 'TooMany', status: 429 })
    })
  })

  it('renews an autofill challenge before it expires', async () => {
    const asked: Asked[] = []
    const act: Act = async (one) => {
      asked.push(one)
      return asked.length === 3 ? CREDENTIAL : await waiting(one)
    }
    const { begin, state } = beginning({ ...OPTIONS, timeout: 1 })
    await inBrowser(act, async () => {
      expect(await askAuthenticator('get', begin, { autofill: true })).to.include({ id: 'Kg' })
    })
    expect(state.count).to.equal(3)
    expect(asked.map(({ mediation }) => mediation)).to.deep.equal(Array(3).fill('conditional'))
  })

  it('ends an earlier call, stops when its signal is aborted, and leaves no timer behind', async () => {
    const timers = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const controller = new AbortController()
    const { signal } = controller
    await inBrowser(waiting, async () => {
      const first = failureOf(askAuthenticator('get', beginning().begin, { autofill: true }))
      const second = askAuthenticator('get', beginning().begin, { signal }).catch((error: unknown) => error)
      expect((await first).code).to.equal('cancelled')
      controller.abort()
      expect(await second)
        .to.include({ name: 'AbortError' })
        .and.not.have.property('code', 'cancelled')
      const third = askAuthenticator('get', beginning().begin, { signal }).catch((error: unknown) => error)
      expect(await third).to.include({ name: 'AbortError' })
    })
    expect(timers.countTimers()).to.equal(0)
  })

  it('reports the accepted passkeys to the browser if the browser supports this', async () => {
    const told: unknown[] = []
    const signalAllAcceptedCredentials = async (accepted: unknown) => {
      told.push(accepted)
      throw new Error('unknown RP ID')
    }
    signalAccepted({ rpId: 'x' })
    await inBrowser(waiting, async () => signalAccepted({ rpId: 'x' }), { signalAllAcceptedCredentials })
    expect(told).to.deep.equal([{ rpId: 'x' }])
  })
})
