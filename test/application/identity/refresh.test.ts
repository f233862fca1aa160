import { expect } from 'chai'
import type { Issued } from '../../../src/application/identity/issue.js'
import type { Presented } from '../../../src/application/identity/presented.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { refusalOf, refused } from '../../support/refusal-of.js'
import { composeUseCases, presentedBy, START, type Composed } from '../../support/use-cases.js'

const GRACE = 10_000

describe('refresh', () => {
  let kennel: Composed
  let first: Issued

  beforeEach(async () => {
    kennel = await composeUseCases()
    for (const email of ['ada@example.com', 'bob@example.com']) await kennel.account(email)
    first = await kennel.login('ada@example.com')
    await kennel.audited()
  })

  const refresh = (issued: Issued, presented: Presented = presentedBy(issued)) =>
    kennel.useCases.refresh({ refreshToken: issued.refreshToken, presented })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code
  const pairOf = ({ accessToken, refreshToken, sessionKey }: Issued) => ({
    accessToken,
    refreshToken,
    sessionKey,
  })

  it('gives another pair and another key of the same login, which ends when it did', async () => {
    kennel.clock.now += 1_000
    const next = await refresh(first)
    for (const name of ['accessToken', 'refreshToken', 'sessionKey'] as const)
      expect(next[name], name).to.not.equal(first[name])
    expect(next.identity.sessionId).to.equal(first.identity.sessionId)
    expect(next.endsAt).to.equal(first.endsAt)
    expect((await kennel.useCases.getIdentity(presentedBy(next))).email).to.equal('ada@example.com')
    expect(await kennel.audited()).to.deep.equal([])
  })

  it('gives the current pair again for a spent token inside the window, to the byte', async () => {
    const next = await refresh(first)
    kennel.clock.now += GRACE - 1
    expect(pairOf(await refresh(first))).to.deep.equal(pairOf(next))
  })

  it('ends the login where a spent token comes after the window, on record', async () => {
    const next = await refresh(first)
    kennel.clock.now += GRACE
    expect(await codeOf(refresh(first))).to.equal('invalid-token')
    expect(await kennel.audited()).to.deep.equal(['refresh.reuse anonymous account:1 failure'])
    expect(await codeOf(refresh(next))).to.equal('invalid-token')
  })

  it('gives the current pair to a spent token with the current key, however late', async () => {
    const next = await refresh(first)
    kennel.clock.now += 100 * GRACE
    const again = await refresh(first, { sessionKey: next.sessionKey })
    expect(pairOf(again)).to.deep.equal(pairOf(next))
  })

  it('is refused without a token, or with one that is none, and the login goes on', async () => {
    const presented = presentedBy(first)
    const ask = (refreshToken: unknown) => kennel.useCases.refresh({ refreshToken, presented })
    for (const none of [undefined, ''])
      expect(await refused(ask(none))).to.deep.equal(['invalid-token', 'refreshToken', 'Required'])
    expect(await codeOf(ask(7))).to.equal('malformed')
    expect(await codeOf(ask(first.accessToken))).to.equal('invalid-token')
    expect((await refresh(first)).identity.accountId).to.equal(1)
  })

  it('is refused with the key or the token of another login, and ends neither', async () => {
    const other = await kennel.login('bob@example.com')
    await kennel.audited()
    expect(await codeOf(refresh(first, { sessionKey: other.sessionKey }))).to.equal('invalid-token')
    expect(await kennel.audited()).to.deep.equal(['binding.mismatch anonymous account:2 failure'])
    expect(await codeOf(refresh(first, { ...presentedBy(first), accessToken: other.accessToken }))).to.equal(
      'invalid-token',
    )
    expect((await refresh(other)).identity.accountId).to.equal(2)
    expect((await refresh(first)).identity.accountId).to.equal(1)
  })

  it('is refused where the account or the login has ended', async () => {
    await kennel.useCases.disableUser({ caller: OPERATOR, email: 'ada@example.com' })
    expect(await codeOf(refresh(first))).to.equal('invalid-token')
    const idle = await kennel.login('bob@example.com')
    kennel.clock.now = START + 604_800_000
    expect(await codeOf(refresh(idle))).to.equal('invalid-token')
  })

  it('audits a pair that is shared by two networks, once a minute', async () => {
    const from = (address: string) => ({ ...presentedBy(first), client: { address } })
    await refresh(first, from('192.0.2.1'))
    await refresh(first, from('192.0.2.1'))
    for (let call = 0; call < 3; call += 1) await refresh(first, from('198.51.100.7'))
    expect(await kennel.audited()).to.deep.equal([
      'refresh.shared account:1 account:1 success from 198.51.100.7',
    ])
  })
})
