import { expect } from 'chai'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMemoryStore } from '../../src/adapters/memory/index.js'
import {
  openKennel,
  OPERATOR,
  replyOf,
  type CredentialSource,
  type Identity,
  type Issued,
  type Kennel,
  type PageRequest,
  type Refusal,
} from '../../src/index.js'
import { refusalOf } from '../support/refusal-of.js'
import { watching } from '../support/watched-store.js'
import { EMAIL, goodOptions, openWithLogin } from './opening.js'
import { PASSWORD } from './valid-inputs.js'

const INVALID = 'invalid-token'

async function outcomeOf(work: Promise<Identity>): Promise<string> {
  const [settled] = await Promise.allSettled([work])
  if (settled.status === 'fulfilled') return settled.value.email
  const { code, messages } = await refusalOf(work)
  return code === 'malformed' ? messages.map(({ field, message }) => `${field} ${message}`).join() : code
}

/** Returns a request that Node has parsed from these header lines. */
async function received(lines: readonly string[], method = 'GET'): Promise<IncomingMessage> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sent = request({ port, method, host: '127.0.0.1', headers: ['Host', 'x', ...lines] as never })
  sent.on('error', () => undefined).end()
  const [incoming] = (await once(server, 'request')) as [IncomingMessage]
  server.closeAllConnections()
  server.close()
  return incoming
}

describe('identify', () => {
  const calls: string[] = []
  let kennel: Kennel
  let issued: Issued
  let cookie: string
  let bearer: string
  before(async () => {
    const watched = watching(async (name, run) => {
      calls.push(name)
      return await run()
    })
    ;({ kennel, issued } = await openWithLogin({ store: watched(createMemoryStore()) }))
    cookie = `theme=dark; __Host-sid=${issued.sessionKey ?? ''}`
    bearer = `Bearer ${issued.accessToken}`
  })
  after(() => kennel.close())

  const outcome = (source: unknown) => outcomeOf(kennel.identify(source as CredentialSource))

  it('identifies the sender of a request in any form, with one store read', async () => {
    const fetched = new Request('https://pets.example', { headers: { 'X-Authorization': bearer } })
    const incoming = await received(['Cookie', cookie, 'x-authorization', bearer])
    const forms = [
      new Headers({ cookie, 'X-Authorization': bearer }),
      { headers: { get: (name: string) => (name === 'cookie' ? cookie : fetched.headers.get(name)) } },
      incoming,
      incoming.headers,
      { COOKIE: [cookie], 'X-Authorization': bearer },
      new Map([...fetched.headers, ['cookie', cookie]]),
    ]
    for (const form of forms) {
      calls.length = 0
      expect(await outcome(form)).to.equal(EMAIL)
      expect(calls).to.deep.equal(['sessions.find'])
    }
    expect(await kennel.identify(incoming)).to.deep.equal(issued.identity)
  })

  it('rejects missing credentials as unauthenticated, and rejects a cookie or a token alone', async () => {
    expect(await outcome(new Headers())).to.equal('unauthenticated')
    expect(await outcome(new Headers({ cookie: 'theme=dark' }))).to.equal('unauthenticated')
    expect(await outcome(new Headers({ cookie }))).to.equal(INVALID)
    expect(await outcome(new Headers({ 'X-Authorization': bearer }))).to.equal(INVALID)
    expect(await outcome(new Headers({ cookie, Authorization: bearer }))).to.equal(INVALID)
  })

  it('rejects ambiguous credentials, even if both values are equal', async () => {
    const twice = new Headers({ cookie, 'X-Authorization': bearer })
    twice.append('X-Authorization', bearer)
    const sources = [
      twice,
      { cookie: [cookie, cookie], 'x-authorization': bearer },
      { cookie, 'x-authorization': bearer, 'X-Authorization': bearer },
      await received(['Cookie', cookie, 'Cookie', cookie, 'X-Authorization', bearer]),
      await received(['Cookie', cookie, 'X-Authorization', '', 'X-Authorization', bearer]),
    ]
    for (const [index, source] of sources.entries())
      expect(await outcome(source), String(index)).to.equal(INVALID)
  })

  it('reads the token from the configured header, and rejects a Node.js request with two such headers', async () => {
    const own = await openWithLogin({ authorizationHeader: 'Authorization' })
    const value = `Bearer ${own.issued.accessToken}`
    const lines = ['Cookie', `__Host-sid=${own.issued.sessionKey ?? ''}`, 'Authorization', value]
    expect((await own.kennel.identify(await received(lines))).email).to.equal(EMAIL)
    const twice = await received([...lines, 'authorization', value])
    expect((await refusalOf(own.kennel.identify(twice))).code).to.equal(INVALID)
    await own.kennel.close()
  })

  it('ignores cookies in stateless mode', async () => {
    const own = await openWithLogin({ stateless: true })
    const headers = {
      cookie: 'sid=1; __Host-sid=1; __Host-sid=2',
      'x-authorization': `Bearer ${own.issued.accessToken}`,
    }
    expect((await own.kennel.identify(headers)).email).to.equal(EMAIL)
    expect((await refusalOf(own.kennel.identify({ cookie: 'sid=1' }))).code).to.equal('unauthenticated')
    await own.kennel.close()
  })

  it('records the client context in the audit log if the cookie and the token belong to different sessions', async () => {
    const other = await kennel.login({ email: EMAIL, password: PASSWORD, presented: {} })
    const headers = { cookie, 'x-authorization': `Bearer ${other.accessToken}` }
    const refusal = await refusalOf(kennel.identify(headers, { address: '192.0.2.9', requestId: 'r-1' }))
    expect(refusal.code).to.equal(INVALID)
    const records = await kennel.listAudit({ caller: OPERATOR, event: 'binding.mismatch', limit: 10 })
    expect(records.map(({ address }) => address)).to.deep.equal(['192.0.2.9'])
  })

  it('rejects a value that is not a request, and headers that are not strings, as malformed', async () => {
    const form = 'request must be a Node request, a fetch request, or the headers of such a request'
    // Next.js returns headers as a promise with extra methods.
    const promise = Object.assign(Promise.resolve(), { get: () => null })
    for (const source of [null, 'cookie', promise, new URL('https://pets.example')])
      expect(await outcome(source)).to.equal(form)
    expect(await outcome(undefined)).to.equal('request required')
    expect(await outcome({ cookie: 5 })).to.equal('headers.cookie must be a string')
    const trap = Object.defineProperty({}, 'headers', { get: () => JSON.parse('{') as unknown })
    expect(await outcome(trap)).to.equal(' cannot be read')
  })
})

describe('identify with API keys', () => {
  let kennel: Kennel
  let issued: Issued
  let key: string
  before(async () => {
    ;({ kennel, issued } = await openWithLogin({ petsApiKeyHeader: 'X-Kennel-Key' }))
    ;({ key } = await kennel.createApiKey({ caller: OPERATOR, name: 'job', roles: [] }))
  })
  after(() => kennel.close())

  const outcome = async (headers: CredentialSource, apiKeys?: boolean) =>
    await kennel.identify(headers, undefined, { apiKeys }).then(
      (one) => `${one.kind} ${one.kind === 'account' ? one.email : one.apiKeyId}`,
      (error: unknown) => `${(error as Refusal).code} ${replyOf(error).status}`,
    )

  it('identifies a program by its key only if the options allow keys', async () => {
    const headers = { 'x-kennel-key': key }
    const forms = [headers, new Headers(headers), new Request('https://pets.example', { headers })]
    for (const form of [...forms, await received(['X-KENNEL-KEY', key])]) {
      expect(await outcome(form, true)).to.equal('api-key 1')
      for (const off of [false, undefined]) expect(await outcome(form, off)).to.equal('unauthenticated 401')
    }
  })

  it('prefers a key to a login, and rejects a wrong key even if a login is sent', async () => {
    const { accessToken, sessionKey = '' } = issued
    const login = { cookie: `__Host-sid=${sessionKey}`, 'x-authorization': `Bearer ${accessToken}` }
    const keys = { [key]: 'api-key 1', '': `account ${EMAIL}`, wrong: 'invalid-credentials 401' }
    for (const [value, expected] of Object.entries(keys))
      expect(await outcome({ ...login, 'X-Kennel-Key': value }, true), value).to.equal(expected)
    expect(await outcome({ 'x-kennel-key': [key, 'other'] }, true)).to.equal('invalid-credentials 401')
  })

  it('rejects every key if the store has no API keys', async () => {
    const { apiKeys: _, ...store } = createMemoryStore()
    const own = await openKennel({ ...goodOptions(), store })
    const work = own.identify({ 'x-api-key': key }, undefined, { apiKeys: true })
    expect((await refusalOf(work)).code).to.equal('invalid-credentials')
    await own.close()
  })
})

describe('identifyPage', () => {
  let kennel: Kennel
  let issued: Issued
  let cookie: string
  before(async () => {
    ;({ kennel, issued } = await openWithLogin({ pages: true }))
    cookie = `theme=dark; __Host-sid=${issued.sessionKey ?? ''}`
  })
  after(() => kennel.close())

  const outcome = (source: unknown) => outcomeOf(kennel.identifyPage(source as PageRequest))

  it('identifies page visitors by the cookie alone', async () => {
    const url = 'https://pets.example/invoices'
    const forms = [
      { cookie },
      new Request(url, { headers: { cookie } }),
      { headers: { cookie }, method: 'GET' },
      await received(['Cookie', cookie], 'HEAD'),
    ]
    for (const form of forms) expect(await outcome(form)).to.equal(EMAIL)
    expect(await kennel.identifyPage({ cookie })).to.deep.equal(issued.identity)
    expect(await outcome({ cookie: null })).to.equal('unauthenticated')
    expect(await outcome({ cookie: `${cookie}; ${cookie}` })).to.equal(INVALID)
  })

  it('is forbidden for methods with side effects, and rejects an input without a method', async () => {
    expect(await outcome({ cookie, method: 'POST' })).to.equal('forbidden')
    expect(await outcome(await received(['Cookie', cookie], 'POST'))).to.equal('forbidden')
    expect(await outcome({ headers: { cookie } })).to.equal('method must be a string')
    expect(await outcome(new Headers({ cookie }))).to.equal('cookie required')
    expect(await outcome({ cookie, host: 'pets.example' })).to.equal(' unknown field "host"')
  })

  it('is forbidden unless the option allows it', async () => {
    const own = await openWithLogin()
    const page = { cookie: `__Host-sid=${own.issued.sessionKey ?? ''}` }
    expect((await refusalOf(own.kennel.identifyPage(page))).code).to.equal('forbidden')
    await own.kennel.close()
  })

  it('returns an identity that other methods do not accept as credentials', async () => {
    const identity = await kennel.identifyPage({ cookie })
    const works = [
      kennel.getIdentity(identity),
      kennel.refresh({ refreshToken: issued.refreshToken, presented: identity }),
      kennel.login({ email: EMAIL, password: PASSWORD, presented: identity }),
      kennel.identify(identity as never),
    ]
    const codes = await Promise.all(works.map(async (work) => (await refusalOf(work)).code))
    expect(codes).to.deep.equal(['malformed', 'malformed', 'malformed', 'unauthenticated'])
  })
})
