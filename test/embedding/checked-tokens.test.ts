import { expect } from 'chai'
import type { Issued } from '../../src/application/identity/issue.js'
import type { Presented } from '../../src/application/identity/presented.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { openKennel, type Kennel } from '../../src/index.js'
import { refusalOf } from '../support/refusal-of.js'
import { goodOptions } from './opening.js'

describe('an access token that an open Kennel instance has checked', () => {
  const PASSWORD = 'a long enough password'
  const presented = {}
  let kennel: Kennel
  let other: Kennel
  let issued: Issued
  before(async () => {
    ;[kennel, other] = await Promise.all([openKennel(goodOptions()), openKennel(goodOptions())])
    await kennel.createUser({ caller: OPERATOR, email: 'ada@pets.example', password: PASSWORD })
    issued = await kennel.login({ email: 'ada@pets.example', password: PASSWORD, presented })
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
    expect((await identify(checked)).email).to.equal('ada@pets.example')
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
      ['accessToken was checked by another Kennel'],
    ])
    const login = other.login({ email: '', password: '', presented: { accessToken } })
    expect(await refused(login)).to.deep.equal([
      'malformed',
      ['presented.accessToken was checked by another Kennel'],
    ])
  })

  it('expires at the same time as the token text', async () => {
    const clock = { now: Date.now() }
    const timed = await openKennel(goodOptions({ parts: { clock: () => clock.now } }))
    await timed.createUser({ caller: OPERATOR, email: 'ada@pets.example', password: PASSWORD })
    const { accessToken, sessionKey } = await timed.login({
      email: 'ada@pets.example',
      password: PASSWORD,
      presented,
    })
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
