import { expect } from 'chai'
import { createHandler } from '../../../src/adapters/web/index.js'
import type { Kennel } from '../../../src/index.js'
import { collectingLog } from '../../support/log-collector.js'
import { EMAIL, ORIGIN, openMemoryKennel } from '../../support/http/memory-kennel.js'
import { PASSWORD } from '../../support/http/service.js'

describe('the log line for a 401', () => {
  let kennel: Kennel
  afterEach(() => kennel.close())

  /** Returns the log detail for a request with these headers, which may refer to a cookie and a token. */
  async function detail(
    headersOf: (login: Readonly<Record<'cookie' | 'bearer' | 'other', string>>) => Record<string, string>,
    production = false,
  ): Promise<unknown> {
    kennel = await openMemoryKennel({ production, ...(production && { publicUrl: 'https://pets.example' }) })
    const [login, another] = await Promise.all(
      [1, 2].map(() => kennel.login({ email: EMAIL, password: PASSWORD, presented: {} })),
    )
    const headers = headersOf({
      cookie: `${production ? '__Host-sid' : 'sid'}=${login?.sessionKey ?? ''}`,
      bearer: `Bearer ${login?.accessToken ?? ''}`,
      other: `Bearer ${another?.accessToken ?? ''}`,
    })
    const { log, requests } = collectingLog()
    const reply = await createHandler(kennel, { log })(
      new Request(`${ORIGIN}/api/auth/get-identity`, { headers }),
    )
    expect(reply.status).to.equal(401)
    return requests[0]?.fields.detail
  }

  it('says that the header is missing', async () => {
    expect(await detail(() => ({}))).to.equal('the header X-Authorization is missing')
  })
  it('says that the token is missing', async () => {
    expect(await detail(({ cookie }) => ({ cookie }))).to.equal('the cookie came without X-Authorization')
  })
  it('says that the cookie is missing', async () => {
    const alone = await detail(({ bearer }) => ({ 'X-Authorization': bearer }))
    expect(alone).to.equal('the session cookie is missing')
  })
  it('says that the token is in the wrong header, with and without a cookie', async () => {
    const told = 'the access token is in Authorization, but the service reads it from X-Authorization'
    expect(await detail(({ bearer }) => ({ Authorization: bearer }))).to.equal(told)
    await kennel.close()
    expect(await detail(({ bearer, cookie }) => ({ Authorization: bearer, cookie }))).to.equal(told)
  })
  it('says that the cookie and the token belong to different sessions', async () => {
    const mixed = await detail(({ cookie, other }) => ({ cookie, 'X-Authorization': other }))
    expect(mixed).to.equal('the cookie and the bearer token belong to different sessions')
  })
  it('says that the header is malformed', async () => {
    const short = await detail(({ cookie }) => ({ cookie, 'X-Authorization': 'Token x' }))
    expect(short).to.equal('the Authorization header does not have the expected form')
  })
  it('contains no reason in production', async () => {
    expect(await detail(({ bearer }) => ({ Authorization: bearer }), true)).to.equal(undefined)
  })
})
