import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import type { JSONWebKeySet } from 'jose'
import { createAccessTokenVerifier, VerificationError } from '../../../src/adapters/jose/verify.js'
import { createJoseFormat } from '../../../src/adapters/jose/index.js'
import { createKeyRing } from '../../../src/adapters/keyring/index.js'
import { createTokenSigner } from '../../../src/application/identity/token-signer.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Claims } from '../../../src/domain/identity/claims.js'
import {
  actorOf,
  claimsOf,
  ISSUED,
  ISSUER,
  MODES,
  NOW,
  STATEFUL,
  STATELESS,
} from '../../support/tokens/token-bench.js'
import { forge } from '../../support/tokens/forged-jwt.js'

const ACCESS = claimsOf('access', STATEFUL)
const REFRESH = claimsOf('refresh', STATEFUL)
const HEADER = { alg: 'HS512', typ: 'at+jwt', kid: 'kid' }

const clock = () => NOW

/** A service's signer, the key set that it publishes, and a verifier with these keys. */
async function makeSigner(passphrase: string, { stateless = false, previous = [] as string[] } = {}) {
  const ring = await createKeyRing({ current: passphrase, previous }, 'EdDSA')
  const secrets = ring.all.map(({ kid, tokenSecret }) => ({ kid, secret: tokenSecret }))
  const format = await createJoseFormat({ algorithm: 'EdDSA', keys: secrets, currentKid: ring.current.kid })
  const lifetimes = { accessToken: 900_000, refreshToken: 604_800_000 }
  const signer = createTokenSigner({ format, issuer: ISSUER, lifetimes, stateless })
  const sign = async (claims: Claims) => (await signer.sign(claims, signer.currentKid)) ?? ''
  const keys = { keys: [...format.publicKeys] } as JSONWebKeySet
  return { sign, keys, verify: createAccessTokenVerifier({ issuer: ISSUER, keys, clock }) }
}

async function failureOf(verified: Promise<unknown>): Promise<VerificationError> {
  const outcome = await verified.then(
    () => 'verified',
    (error: unknown) => error,
  )
  if (!(outcome instanceof VerificationError)) throw new Error(`not refused but ${String(outcome)}`)
  return outcome
}

describe('the verifier of access tokens', () => {
  it('accepts tokens up to 30 s before nbf and 5 s after exp', async () => {
    const { sign, keys } = await makeSigner('one')
    const token = await sign(ACCESS)
    const [from, until] = [ACCESS.issuedAt * 1000 - 30_000, ACCESS.expiresAt * 1000 + 5_000]
    const at = (time: number) => createAccessTokenVerifier({ issuer: ISSUER, keys, clock: () => time })(token)
    for (const time of [from, until - 1]) expect(await at(time)).to.include({ tokenId: ACCESS.tokenId })
    for (const time of [from - 1, until]) await failureOf(at(time))
  })

  it('reports every unknown, missing or invalid option without its value', () => {
    const create = createAccessTokenVerifier as (options?: unknown) => unknown
    const errorOf = (options?: unknown): string => {
      try {
        create(options)
      } catch (error) {
        expect(error).to.be.instanceOf(TypeError)
        return (error as TypeError).message.replace(/^createAccessTokenVerifier: /, '')
      }
      return ''
    }
    const form =
      'must be the PUBLIC_URL of the service, such as https://kennel.example, without a trailing slash'
    expect(errorOf({})).to.equal(`issuer is required: it ${form}`)
    for (const issuer of ['kennel.example', `${ISSUER}/`, 5])
      expect(errorOf({ issuer }), String(issuer)).to.equal(`issuer ${form}`)
    expect(errorOf({ isuer: ISSUER })).to.match(
      /^isuer is unknown; did you mean issuer\?; issuer is required: /,
    )
    expect(errorOf({ issuer: ISSUER, keys: { keys: 'a-secret' } })).to.equal(
      'keys must be a URL object or a JSON Web Key Set',
    )
    expect(errorOf({ issuer: ISSUER, maxLifetime: '15m', clock: 0 })).to.equal(
      'maxLifetime must be a positive number of milliseconds; clock must be a function',
    )
  })

  it('returns the account to which a token was issued', async () => {
    const { sign, verify } = await makeSigner('one')
    expect(await verify(await sign(ACCESS))).to.deep.equal({
      accountId: 42,
      sessionId: 'session-1',
      tokenId: 'pair-1',
      issuedAt: ISSUED,
      expiresAt: ISSUED + 900,
    })
  })

  it('returns the email and the roles if the service is stateless', async () => {
    const { sign, verify } = await makeSigner('one', { stateless: true })
    const claims = claimsOf('access', STATELESS)
    const { email, roles } = claims.login!
    expect(await verify(await sign(claims))).to.deep.include({ email, roles })
  })

  for (const mode of MODES)
    it(`returns the actor of an impersonation if the service is ${mode.name}`, async () => {
      const { sign, verify } = await makeSigner('one', { stateless: mode === STATELESS })
      const access = await verify(await sign({ ...claimsOf('access', mode), actor: actorOf(mode) }))
      expect(access.accountId).to.equal(42)
      expect(access.actor).to.deep.equal({ accountId: 7, email: 'boss@kennel.example' })
      expect(await verify(await sign(claimsOf('access', mode)))).to.not.have.property('actor')
    })

  it('rejects an `act` claim that the service would not issue', async () => {
    const { sign, verify } = await makeSigner('one')
    for (const actor of [actorOf(STATELESS), { ...actorOf(STATEFUL), accountId: 0 as AccountId }]) {
      const failure = await failureOf(verify(await sign({ ...ACCESS, actor })))
      expect(failure.code).to.equal('invalid-token')
    }
  })

  it('rejects any invalid token with the same code, and never repeats any part of the token', async () => {
    const { sign, keys, verify } = await makeSigner('one')
    const foreign = await makeSigner('two')
    const elsewhere = createAccessTokenVerifier({ issuer: 'https://other.example', keys, clock })
    const good = await sign(ACCESS)
    const x = keys.keys[0]?.x ?? ''
    const kid = keys.keys[0]?.kid ?? ''
    const hmac = forge({ ...HEADER, kid }, { sub: '42' }, { kid, secret: Buffer.from(x, 'base64url') })
    const refused: readonly (readonly [typeof verify, string])[] = [
      [verify, await foreign.sign(ACCESS)],
      [verify, await sign(REFRESH)],
      [verify, `${good.slice(0, -4)}AAAA`],
      [verify, hmac],
      [verify, 'marked-token'],
      [verify, ''],
      [verify, undefined as unknown as string],
      [verify, `${good}${'A'.repeat(9_000)}`],
      [elsewhere, good],
      [verify, await sign({ ...ACCESS, expiresAt: ISSUED + 901 })],
      [verify, await sign({ ...ACCESS, issuedAt: ISSUED - 900, expiresAt: ISSUED })],
    ]
    for (const [check, token] of refused) {
      const failure = await failureOf(check(token))
      expect(failure.code).to.equal('invalid-token')
      expect(failure.message).to.equal('Invalid authentication token.')
      expect(failure.detail).to.be.a('string').that.does.not.include('marked')
    }
  })

  it('accepts the token lifetime configured for the service', async () => {
    const { sign, keys } = await makeSigner('one')
    const token = await sign({ ...ACCESS, expiresAt: ISSUED + 3_600 })
    const options = { issuer: ISSUER, keys, clock }
    await failureOf(createAccessTokenVerifier(options)(token))
    const verify = createAccessTokenVerifier({ ...options, maxLifetime: 3_600_000 })
    expect((await verify(token)).accountId).to.equal(42)
  })
})

describe('the access token verifier with a key URL', () => {
  let server: Server
  let verify: ReturnType<typeof createAccessTokenVerifier>
  let keys: JSONWebKeySet | undefined
  let visits = 0
  beforeEach(async () => {
    visits = 0
    server = createServer((_request, response) => {
      visits += 1
      response.statusCode = keys ? 200 : 500
      response.end(JSON.stringify(keys ?? {}))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const address = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`)
    verify = createAccessTokenVerifier({ issuer: ISSUER, keys: address, clock })
  })
  afterEach(async () => {
    server.closeAllConnections()
    await once(server.close(), 'close')
  })

  it('requests the keys once for many tokens, even with unknown key IDs, so that no client can flood the service', async () => {
    const { sign, keys: published } = await makeSigner('one')
    keys = published
    const token = await sign(ACCESS)
    await Promise.all([1, 2, 3].map(() => verify(token)))
    const unknown = await (await makeSigner('two')).sign(ACCESS)
    for (const _ of [1, 2, 3]) expect((await failureOf(verify(unknown))).code).to.equal('invalid-token')
    expect(visits).to.equal(1)
  })

  it('reports that the keys are missing, and accepts the token as soon as the keys are available', async () => {
    const { sign, keys: published } = await makeSigner('one')
    keys = undefined
    const token = await sign(ACCESS)
    expect((await failureOf(verify(token))).code).to.equal('keys-unavailable')
    keys = published
    expect((await verify(token)).accountId).to.equal(42)
  })

  it('sends no request if a token is malformed', async () => {
    await failureOf(verify('rubbish'))
    await failureOf(verify(forge(HEADER, {})))
    expect(visits).to.equal(0)
  })
})
