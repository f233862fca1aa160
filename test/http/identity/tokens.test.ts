import { expect } from 'chai'
import { createKeyRing } from '../../../src/adapters/keyring/index.js'
import { base64url } from '../../support/tokens/forged-jwt.js'
import { BENCHES } from '../../support/tokens/benches.js'
import { comparable, expectInvalidToken } from '../../support/http/expected.js'
import {
  KEY_COST,
  PASSPHRASE,
  startService,
  STATELESS,
  TOKEN_USE,
  type TestService,
} from '../../support/http/service.js'
import { credentials, GET_IDENTITY, newcomer, payloadOf, type Held } from '../../support/http/browser.js'

type JsonObject = Record<string, unknown>

const keyOf = async (passphrase: string) => {
  const { current } = await createKeyRing({ current: passphrase, previous: [] }, TOKEN_USE, KEY_COST)
  return { kid: current.kid, secret: current.tokenSecret }
}
const KEY = await keyOf(PASSPHRASE)
const FOREIGN = await keyOf(`${PASSPHRASE}!`)
const FOREIGN_KEY = { ...FOREIGN, kid: KEY.kid }

const [BENCH] = BENCHES.filter(({ name }) => name === TOKEN_USE)
if (!BENCH) throw new Error(`there is no forger for ${TOKEN_USE}`)

/** Formats times as the token format does. */
function written(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return payload
  const times = (['iat', 'nbf', 'exp'] as const).flatMap((name) => {
    const time = (payload as JsonObject)[name]
    const fits = typeof time === 'number' && time < 1e11
    return fits ? [[name, BENCH?.time(time)]] : []
  })
  return { ...payload, ...(Object.fromEntries(times) as JsonObject) }
}

/** Really signed with the key. */
function forge(label: unknown, payload: unknown, key: typeof KEY): string {
  return BENCH?.forge(label, written(payload), key) ?? ''
}

/** The payload with some members changed; `undefined` removes a member. */
function changed(payload: JsonObject, changes: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...payload, ...changes }).filter(([, value]) => value !== undefined),
  )
}

describe('a forged access token', () => {
  let service: TestService
  let held: Held
  let payload: JsonObject
  before(async () => {
    service = await startService()
    held = (await newcomer(service, ['admin'])).held()
    payload = payloadOf(held.accessToken)
  })
  after(() => service.close())

  const header = BENCH.label('access', KEY.kid)
  const withHeader = (more: JsonObject) => forge(changed(header, more), payload, KEY)
  const withClaims = (more: JsonObject) => forge(header, changed(payload, more), KEY)
  const now = () => Math.floor(service.clock.now / 1000)
  const access = () => held.accessToken ?? ''
  const refresh = () => held.refreshToken ?? ''
  const parts = (token: string) => token.split('.')

  const forgeries: Readonly<Record<string, () => string>> = {
    'another passphrase': () => forge(header, payload, FOREIGN_KEY),
    'another passphrase with its kid': () => forge({ ...header, kid: FOREIGN.kid }, payload, FOREIGN_KEY),
    'the refresh token': refresh,
    'a refresh typ on access claims': () => withHeader({ typ: BENCH.label('refresh', '')['typ'] }),
    'an access typ on refresh claims': () => forge(header, payloadOf(held.refreshToken), KEY),
    'an unknown kid': () => withHeader({ kid: 'unknown' }),
    'exp 6 s ago': () => withClaims({ exp: now() - 6 }),
    'nbf in the future': () => withClaims({ nbf: now() + 60, iat: now() + 60, exp: now() + 900 }),
    'another issuer': () => withClaims({ iss: 'https://elsewhere.example' }),
    'another audience': () => withClaims({ aud: 'https://elsewhere.example/access' }),
    ...(BENCH.part === 'header' && {
      'alg none': () => `${base64url({ ...header, alg: 'none' })}.${parts(access())[1] ?? ''}.`,
    }),
    ...(!STATELESS && {
      'another session': () => withClaims({ sid: 'A'.repeat(22) }),
      'another account': () => withClaims({ sub: '999999' }),
    }),
  }

  const identity = (accessToken: string) =>
    service.client.call('GET', GET_IDENTITY, { headers: credentials({ ...held, accessToken }) })

  it('is accepted if it is the genuine token, also when the test signs it', async () => {
    expect(forge(header, payload, KEY)).to.equal(held.accessToken)
    expect((await identity(withClaims({}))).status).to.equal(200)
  })

  for (const [what, make] of Object.entries(forgeries)) {
    it(`is rejected: ${what}`, async () => {
      const reply = await identity(make())
      expectInvalidToken(reply)
      expect(comparable(reply)).to.deep.equal(comparable(await identity('rubbish')))
      expect((await identity(held.accessToken ?? '')).status).to.equal(200)
    })
  }
})
