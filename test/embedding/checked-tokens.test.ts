import { expect } from 'chai'
import type { Issued } from '../../src/application/identity/issue.js'
import type { Presented } from '../../src/application/identity/presented.js'
import { openKennel, type Kennel } from '../../src/index.js'
import { refusalOf } from '../support/refusal-of.js'
import { EMAIL, goodOptions, openWithLogin } from './opening.js'

describe('an access token that an open Kennel instance has checked', () => {
  let kennel: Kennel
  let other: Kennel
  let issued: Issued
  before(async () => {
    ;({ kennel, issued } = await openWithLogin())
    other = await openKennel(goodOptions())
  })
  after(() => Promise.all([kennel.close(), other.close()]))

  const identify = (accessToken: unknown, by = kennel) =>
    by.getIdentity({ accessToken, sessionKey: issued.sessionKey } as Presented)
  const refused = async (work: Promise<unknown>) => {
    const { code, messages } = await refusalOf(work)
    return [code, messages.map(({ field, message }) => `${field} ${message}`)]
  }

  it('is accepted instead of the token text', async () => {
    const checked = await kennel.checkAccessToken(issued.accessToken)
    expect(checked?.claims.subject).to.equal(issued.identity.accountId)
    expect((await identify(checked)).email).to.equal(EMAIL)
    expect(await identify(checked)).to.deep.equal(await identify(issued.accessToken))
  })

  it('is rejected if it is a different object with the same members', async () => {
    const checked = await kennel.checkAccessToken(issued.accessToken)
    for (const accessToken of [{ claims: checked?.claims }, Object.create(checked ?? null), { claims: {} }])
      expect(await refused(identify(accessToken))).to.deep.equal([
        'malformed',
        ['accessToken must be a string'],
      ])
  })

  it('is rejected by a Kennel instance that has not checked the token', async () => {
    const accessToken = await kennel.checkAccessToken(issued.accessToken)
    expect(await refused(identify(accessToken, other))).to.deep.equal([
      'malformed',
      ['accessToken was checked by another Kennel instance'],
    ])
    const login = other.login({ email: '', password: '', presented: { accessToken } })
    expect(await refused(login)).to.deep.equal([
      'malformed',
      ['presented.accessToken was checked by another Kennel instance'],
    ])
  })

  it('expires at the same time as the token text', async () => {
    const clock = { now: Date.now() }
    const { kennel: timed, issued } = await openWithLogin({ parts: { clock: () => clock.now } })
    const { accessToken, sessionKey } = issued
    const checked = await timed.checkAccessToken(accessToken)
    clock.now += 16 * 60_000
    const [refusal, ofText] = await Promise.all(
      [checked, accessToken].map((one) => refusalOf(timed.getIdentity({ accessToken: one, sessionKey }))),
    )
    expect([refusal?.code, refusal?.detail]).to.deep.equal(['invalid-token', 'the access token has expired'])
    expect([ofText?.code, ofText?.detail]).to.deep.equal([refusal?.code, refusal?.detail])
    await timed.close()
  })
})
