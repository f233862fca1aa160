import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import { createKeyRing } from '../../../src/adapters/keyring/index.js'
import { base64url } from '../../support/tokens/forged-jwt.js'
import { BENCHES } from '../../support/tokens/benches.js'
import { comparable, expectInvalidToken, INVALID_TOKEN } from '../../support/http/expected.js'
import {
  KEY_COST,
  PASSPHRASE,
  startService,
  STATELESS,
  TOKEN_USE,
  type TestService,
} from '../../support/http/service.js'
import {
  CREATE_PROJECT,
  credentials,
  GET_IDENTITY,
  LOGIN,
  LOGOUT,
  newcomer,
  payloadOf,
  REFRESH,
  type Held,
} from '../../support/http/browser.js'
import { servicesOfTests } from '../../support/http/services.js'

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

/** As the format writes times. */
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

/** The payload with some members changed; `undefined` takes one away. */
function changed(payload: JsonObject, changes: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries({ ...payload, ...changes }).filter(([, value]) => value !== undefined),
  )
}

describe('a forged access token', () => {
  let service: TestService
  let held: Held
  let payload: JsonObject
  let listener: Server
  let outside = ''
  let visits = 0
  before(async () => {
    service = await startService()
    held = (await newcomer(service, ['admin'])).held()
    payload = payloadOf(held.accessToken)
    listener = createServer((_request, response) => {
      visits += 1
      response.end()
    })
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    outside = `http://127.0.0.1:${String((listener.address() as AddressInfo).port)}/keys`
  })
  after(async () => {
    listener.close()
    await service.close()
  })

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
    'typ JWT': () => withHeader({ typ: 'JWT' }),
    'typ in another case': () => withHeader({ typ: String(header['typ']).toUpperCase() }),
    'no kid': () => withHeader({ kid: undefined }),
    'an unknown kid': () => withHeader({ kid: 'unknown' }),
    'a kid with ../': () => withHeader({ kid: `../${KEY.kid}` }),
    'a kid with SQL': () => withHeader({ kid: "' OR 1=1 --" }),
    'a kid that is an object': () => withHeader({ kid: { $ne: null } }),
    'exp 6 s ago': () => withClaims({ exp: now() - 6 }),
    'exp now minus the leeway': () => withClaims({ exp: now() - 5 }),
    'exp too far away': () => withClaims({ exp: now() + 86_400 }),
    'exp 1e308': () => withClaims({ exp: 1e308 }),
    'exp as another text': () => withClaims({ exp: String(now() + 900) }),
    'nbf in the future': () => withClaims({ nbf: now() + 60, iat: now() + 60, exp: now() + 900 }),
    'another issuer': () => withClaims({ iss: 'https://elsewhere.example' }),
    'another audience': () => withClaims({ aud: 'https://elsewhere.example/access' }),
    'two parts': () => parts(access()).slice(0, 2).join('.'),
    'a part more': () => `${access()}.A`,
    'two parts more': () => `${access()}.A.A`,
    'dots only': () => '..',
    'an array for a payload': () => forge(header, [payload], KEY),
    'null for a payload': () => forge(header, null, KEY),
    ...(BENCH.part === 'header' && jwtForgeries()),
    ...(!STATELESS && {
      'another session': () => withClaims({ sid: 'A'.repeat(22) }),
      'another account': () => withClaims({ sub: '999999' }),
    }),
  }

  function jwtForgeries(): Readonly<Record<string, () => string>> {
    const unsigned = (alg: string) => `${base64url({ ...header, alg })}.${parts(access())[1] ?? ''}.`
    const shared = { kid: KEY.kid, secret: Buffer.from(PASSPHRASE) }
    const [hmac] = BENCHES
    return {
      'alg none': () => unsigned('none'),
      'alg NoNe': () => unsigned('NoNe'),
      'an empty signature': () => unsigned(String(header['alg'])),
      'HS256 in the header': () => withHeader({ alg: 'HS256' }),
      'the passphrase itself as the secret': () =>
        hmac?.forge(hmac.label('access', KEY.kid), payload, shared) ?? '',
      'an embedded jwk': () => withHeader({ jwk: { kty: 'oct', k: base64url('a key of theirs') } }),
      'a jku': () => withHeader({ jku: outside }),
      'an x5u': () => withHeader({ x5u: outside }),
      'an x5c': () => withHeader({ x5c: [base64url('certificate')] }),
      crit: () => withHeader({ crit: ['exp'] }),
      'the signature of another token': () => [...parts(access()).slice(0, 2), parts(refresh())[2]].join('.'),
    }
  }

  const identity = (accessToken: string) =>
    service.client.call('GET', GET_IDENTITY, { headers: credentials({ ...held, accessToken }) })

  it('would be good if it were the real one, also when it is signed here', async () => {
    expect(forge(header, payload, KEY)).to.equal(held.accessToken)
    expect((await identity(withClaims({}))).status).to.equal(200)
  })

  for (const [what, make] of Object.entries(forgeries)) {
    it(`is refused: ${what}`, async () => {
      const reply = await identity(make())
      expectInvalidToken(reply)
      expect(comparable(reply)).to.deep.equal(comparable(await identity('rubbish')))
      expect((await identity(held.accessToken ?? '')).status).to.equal(200)
    })
  }

  for (const claim of ['iss', 'aud', 'sub', 'sid', 'jti', 'iat', 'nbf', 'exp']) {
    it(`is refused without ${claim}`, async () => {
      expectInvalidToken(await identity(withClaims({ [claim]: undefined })))
    })
  }

  it('is refused on every other route with the same words', async () => {
    const accessToken = forge(header, payload, FOREIGN_KEY)
    const headers = credentials({ ...held, accessToken })
    const { refreshToken } = held
    for (const [path, json] of [
      [LOGIN, { email: 'a@example.com', password: 'x' }],
      [REFRESH, { refreshToken }],
      [LOGOUT, {}],
    ] as const) {
      expectInvalidToken(await service.client.call('POST', path, { headers, json }), path)
    }
    const { view } = INVALID_TOKEN
    const project = await service.client.call('POST', CREATE_PROJECT, { headers, json: {} })
    expect(project.json).to.deep.equal({
      code: 401,
      response: false,
      view: { saved: false, messages: view.messages },
    })
    expect((await identity(held.accessToken ?? '')).status).to.equal(200)
  })

  it('is refused as a refresh token, whatever is forged about one', async () => {
    const label = BENCH.label('refresh', KEY.kid)
    const claims = payloadOf(held.refreshToken)
    expect(forge(label, claims, KEY)).to.equal(held.refreshToken)
    const forged = [
      forge(label, claims, FOREIGN_KEY),
      forge({ ...label, typ: header['typ'] }, claims, KEY),
      forge(label, payload, KEY),
      forge(label, { ...claims, exp: now() - 5 }, KEY),
      forge(label, { ...claims, sub: '999999' }, KEY),
      forge(label, { ...claims, aud: payload['aud'] }, KEY),
      ...(STATELESS ? [] : [forge(label, { ...claims, sid: 'A'.repeat(22) }, KEY)]),
    ]
    const headers = credentials({ cookie: held.cookie })
    for (const refreshToken of forged) {
      expectInvalidToken(await service.client.call('POST', REFRESH, { headers, json: { refreshToken } }))
    }
    expect((await identity(held.accessToken ?? '')).status).to.equal(200)
  })

  it('makes the service call no address', () => {
    expect(visits).to.equal(0)
  })

  it('is refused, 2,000 mutated and random ones, always in the same words', async () => {
    const good = held.accessToken ?? ''
    const pieces = [...parts(good), ...parts(refresh())]
    const visible = fc
      .array(fc.integer({ min: 0x21, max: 0x7e }), { minLength: 1, maxLength: 200 })
      .map((codes) => String.fromCharCode(...codes))
    const patched = fc
      .tuple(fc.nat(good.length - 1), fc.nat(4), visible)
      .map(([at, length, instead]) => good.slice(0, at) + instead.slice(0, 3) + good.slice(at + length))
    const joined = fc
      .array(fc.oneof(fc.constantFrom(...pieces), fc.base64String()), { minLength: 1, maxLength: 5 })
      .map((some) => some.join('.'))
    const foreign = fc.json().map((text) => forge(header, text, FOREIGN_KEY))
    const ours = fc.json().map((text) => forge(header, text, KEY))
    const token = fc
      .oneof(patched, visible, joined, foreign, ours)
      .filter((text) => text !== good && text !== '' && text.length < 8000)
    await fc.assert(
      fc.asyncProperty(token, async (text) => {
        expectInvalidToken(await identity(text), text)
      }),
      { numRuns: 2000 },
    )
    expect((await identity(good)).status).to.equal(200)
  })
})

describe('headers that are too large', () => {
  const serve = servicesOfTests()

  it('are 431, and the service lives', async () => {
    const service = await serve()
    const browser = await newcomer(service)
    const headers = { 'X-Authorization': `Bearer ${'A'.repeat(20_000)}` }
    const reply = await service.client.call('GET', GET_IDENTITY, { headers })
    expect(reply.status).to.equal(431)
    expect(reply.json).to.deep.equal({ code: 431, message: 'The request headers are too large.' })
    expect((await browser.getIdentity()).status).to.equal(200)
  })
})
