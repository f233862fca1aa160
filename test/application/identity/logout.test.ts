import type { Authorize } from '../../../src/application/access/authorize.js'
import { createCheckAccessToken } from '../../../src/application/identity/check-access-token.js'
import type { Session } from '../../../src/domain/identity/session.js'
import type { SessionKeys } from '../../../src/ports/session-keys.js'
import type { Sessions } from '../../../src/ports/sessions.js'
import type { TokenSigner } from '../../../src/ports/token-signer.js'
import type { AuditEntry, AuditTrail } from '../../../src/application/audit/audit-trail.js'
import { operations } from '../../../src/application/index.js'
import { recordLogout } from '../../../src/application/identity/logout.js'
import { ANONYMOUS, type Caller } from '../../../src/domain/access/caller.js'
import { ACTOR, ADA, AT, CLAIMS, SESSION_ID } from '../../support/logins.js'
import { expect } from 'chai'
import type { Presented } from '../../../src/application/identity/presented.js'
import { refusalOf, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, presentedBy, START, type Composed } from '../../support/use-cases.js'

describe('logout', () => {
  let kennel: Composed
  let ada: Presented
  let bob: Presented

  beforeEach(async () => {
    kennel = await composeUseCases()
    for (const email of ['ada@example.com', 'bob@example.com']) await kennel.account(email)
    ada = presentedBy(await kennel.login('ada@example.com'))
    bob = presentedBy(await kennel.login('bob@example.com'))
    await kennel.audited()
  })

  const logout = (presented: Presented) => kennel.useCases.logout(presented)
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code
  const isIn = async (presented: Presented) =>
    await kennel.useCases.getIdentity(presented).then(
      () => true,
      () => false,
    )

  it('ends the one login that cookie and token name', async () => {
    const other = presentedBy(await kennel.login('ada@example.com'))
    await kennel.audited()
    await logout(ada)
    expect([await isIn(ada), await isIn(other), await isIn(bob)]).to.deep.equal([false, true, true])
    expect(await kennel.audited()).to.deep.equal(['logout account:1 account:1 success'])
  })

  it('does nothing the second time and without credentials, and audits nothing', async () => {
    await logout(ada)
    await kennel.audited()
    await logout(ada)
    await logout({})
    expect(await kennel.audited()).to.deep.equal([])
  })

  it('is done by an authentic token that has expired', async () => {
    kennel.clock.now = START + 3_600_000
    await logout(ada)
    expect(await kennel.audited()).to.deep.equal(['logout account:1 account:1 success'])
  })

  it('is done by the previous key of the session, which a refresh has just replaced', async () => {
    const issued = await kennel.login('ada@example.com')
    const before = presentedBy(issued)
    const { refreshToken } = issued
    const after = presentedBy(await kennel.useCases.refresh({ refreshToken, presented: before }))
    await logout(before)
    expect(await isIn(after)).to.equal(false)
  })

  it('rejects half of the credentials and credentials of two logins, and ends neither login', async () => {
    const wrong = [
      { accessToken: ada.accessToken },
      { sessionKey: ada.sessionKey },
      { ...ada, accessToken: 'no token' },
      { ...ada, sessionKey: bob.sessionKey },
      { ...ada, sessionKey: 'no key' },
    ]
    const details = [
      'the cookie of an active session is missing or another',
      'the bearer token is missing',
      '',
      'cookie and bearer token are of different sessions',
      'the cookie of an active session is missing or another',
    ]
    for (const [index, presented] of wrong.entries()) {
      expect(await codeOf(logout(presented))).to.equal('invalid-token')
      expect(await wordsOf(logout(presented))).to.include(details[index])
    }
    expect([await isIn(ada), await isIn(bob)]).to.deep.equal([true, true])
    expect(await kennel.audited()).to.deep.equal(['binding.mismatch anonymous account:2 failure'])
  })
})

describe('a logout, as it is audited', () => {
  it('ends an impersonation as well', async () => {
    const client = { address: '192.0.2.1' }
    const own: Caller = { kind: 'account', accountId: ADA.id, email: ADA.email, roles: [] }
    const acting = { ...own, actor: ACTOR }
    const recorded = async (caller: Caller) => {
      const entries: AuditEntry[] = []
      const audit = { record: async (entry: AuditEntry) => void entries.push(entry) } as unknown as AuditTrail
      await recordLogout(audit, caller, client)
      return entries
    }
    expect(await recorded(own)).to.deep.equal([{ event: 'logout', caller: own, subject: ADA.id, client }])
    expect(await recorded(acting)).to.deep.equal([
      { event: 'impersonation.end', caller: acting, subject: ADA.id, client },
      { event: 'logout', caller: acting, subject: ADA.id, client },
    ])
    for (const caller of [ANONYMOUS, { ...ANONYMOUS, accountId: 7, actor: ACTOR } as Caller])
      expect(await recorded(caller)).to.deep.equal([{ event: 'logout', caller, subject: undefined, client }])
  })
})

describe('a logout after a concurrent refresh', () => {
  const KEY = 'digest of key'
  const logout = async (previous: string | undefined, sessionKey?: string) => {
    const ended: unknown[] = []
    const session = {
      id: SESSION_ID,
      endsAt: AT,
      ...(previous !== undefined && { previous: { keyDigest: previous } }),
    } as unknown as Session
    const tokens: TokenSigner = {
      currentKid: 'kid',
      sign: () => expect.fail(),
      verify: async () => ({ kind: 'valid', claims: CLAIMS }),
    }
    const accessToken = await createCheckAccessToken({ tokens, clock: () => AT })('token')
    await operations.logout.factory({
      checkAccessToken: () => expect.fail(),
      authorize: (() => undefined) as unknown as Authorize,
      // Between the two reads another call has rotated the session.
      sessions: {
        find: async () => undefined,
        findById: async () => ({ account: ADA, session }),
        end: async (id: string) => void ended.push(id),
      } as unknown as Sessions,
      sessionKeys: { digest: (key: string) => `digest of ${key}` } as unknown as SessionKeys,
      audit: { record: () => Promise.resolve() } as unknown as AuditTrail,
      clock: () => AT,
    })({ accessToken, ...(sessionKey !== undefined && { sessionKey }) })
    return ended
  }

  it('ends the session with its previous key, and with no other key', async () => {
    expect(await logout(KEY, 'key')).to.deep.equal([SESSION_ID])
    for (const [previous, key] of [
      [KEY, 'another'],
      [undefined, 'key'],
      [undefined, undefined],
      [KEY, undefined],
    ])
      expect(await wordsOf(logout(previous, key))).to.match(
        /^invalid-token .*\(the cookie of an active session is missing or another\)$/,
      )
  })
})
