import { expect } from 'chai'
import { ANONYMOUS, type Caller } from '../../../src/domain/access/caller.js'
import type { TokenSigner } from '../../../src/ports/tokens.js'
import { recordLogout } from '../../../src/application/identity/logout.js'
import { createCheckAccessToken, type Presented } from '../../../src/application/identity/presented.js'
import { TOKEN_LEEWAY } from '../../../src/application/identity/token-signer.js'
import { operations } from '../../../src/application/index.js'
import { ACTOR, ADA, AT, CLAIMS, SESSION_ID } from '../../support/logins.js'
import { wordsOf, codeOf } from '../../support/refusal-of.js'
import { composeUseCases, presentedBy, START, type Composed } from '../../support/use-cases.js'
import { CLIENT, fakedParts } from './faked-parts.js'

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
  const isIn = async (presented: Presented) =>
    await kennel.useCases.getIdentity(presented).then(
      () => true,
      () => false,
    )

  it('ends only the login of the cookie and the token', async () => {
    const other = presentedBy(await kennel.login('ada@example.com'))
    await kennel.audited()
    await logout(ada)
    expect([await isIn(ada), await isIn(other), await isIn(bob)]).to.deep.equal([false, true, true])
    expect(await kennel.audited()).to.deep.equal(['logout account:1 account:1 success'])
  })

  it('does nothing and writes no audit record when repeated or when called without credentials', async () => {
    await logout(ada)
    await kennel.audited()
    await logout(ada)
    await logout({})
    expect(await kennel.audited()).to.deep.equal([])
  })

  it('accepts an authentic but expired token', async () => {
    kennel.clock.now = START + 3_600_000
    await logout(ada)
    expect(await kennel.audited()).to.deep.equal(['logout account:1 account:1 success'])
  })

  it('rejects a cookie alone, a token alone, and credentials from two logins, without ending a login', async () => {
    const another = 'the session is active, but its cookie is missing or differs'
    for (const [presented, detail] of [
      [{ accessToken: ada.accessToken }, another],
      [{ sessionKey: ada.sessionKey }, 'the bearer token is missing'],
      [{ ...ada, accessToken: 'no token' }, '.+'],
      [
        { ...ada, sessionKey: bob.sessionKey },
        'the cookie and the bearer token belong to different sessions',
      ],
      [{ ...ada, sessionKey: 'no key' }, another],
    ] as const)
      expect(await wordsOf(logout(presented))).to.match(new RegExp(`^invalid-token .*\\(${detail}\\)$`))
    expect([await isIn(ada), await isIn(bob)]).to.deep.equal([true, true])
    expect(await kennel.audited()).to.deep.equal(['binding.mismatch anonymous account:2 failure'])
  })
})

describe('the audit record of a logout', () => {
  it('also records the end of an impersonation', async () => {
    const own: Caller = { kind: 'account', accountId: ADA.id, email: ADA.email, roles: [] }
    const acting = { ...own, actor: ACTOR }
    const recorded = async (caller: Caller) => {
      const { parts, entries } = fakedParts()
      await recordLogout(parts.audit, caller, CLIENT)
      return entries
    }
    const logout = { event: 'logout', subject: ADA.id, client: CLIENT }
    expect(await recorded(own)).to.deep.equal([{ ...logout, caller: own }])
    expect(await recorded(acting)).to.deep.equal([
      { ...logout, event: 'impersonation.end', caller: acting },
      { ...logout, caller: acting },
    ])
    for (const caller of [ANONYMOUS, { ...ANONYMOUS, accountId: 7, actor: ACTOR } as Caller])
      expect(await recorded(caller)).to.deep.equal([{ ...logout, caller, subject: undefined }])
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
    } as never
    const tokens: TokenSigner = {
      currentKid: 'kid',
      sign: () => expect.fail(),
      verify: async () => ({ kind: 'valid', claims: CLAIMS }),
    }
    const accessToken = await createCheckAccessToken({ tokens, clock: () => AT })('token')
    await operations.logout.factory({
      ...fakedParts().parts,
      // Another call has rotated the session between the two reads.
      sessions: {
        find: async () => undefined,
        findById: async () => ({ account: ADA, session }),
        end: async (id: string) => void ended.push(id),
      } as never,
      sessionKeys: { digest: (key: string) => `digest of ${key}` } as never,
    })({ accessToken, ...(sessionKey !== undefined && { sessionKey }) })
    return ended
  }

  it('accepts the previous session key to end the session, and rejects any other key', async () => {
    expect(await logout(KEY, 'key')).to.deep.equal([SESSION_ID])
    for (const [previous, key] of [
      [KEY, 'another'],
      [undefined, 'key'],
      [undefined, undefined],
      [KEY, undefined],
    ])
      expect(await wordsOf(logout(previous, key))).to.match(
        /^invalid-token .*\(the session is active, but its cookie is missing or differs\)$/,
      )
  })
})

describe('logout in stateless mode', () => {
  let kennel: Composed
  let accessToken: string

  beforeEach(async () => {
    kennel = await composeUseCases({ mode: 'stateless-revocable' })
    await kennel.account('ada@example.com')
    ;({ accessToken } = await kennel.login('ada@example.com'))
    await kennel.audited()
  })

  it('revokes the login, and does nothing when repeated', async () => {
    for (let call = 0; call < 2; call += 1) await kennel.useCases.logout({ accessToken })
    expect(await codeOf(kennel.useCases.getIdentity({ accessToken }))).to.equal('invalid-token')
    expect(await kennel.audited()).to.deep.equal(['logout account:1 account:1 success'])
  })

  it('accepts an expired token, and does nothing once no token of the login is valid', async () => {
    const end = START - (START % 1000) + 2_592_000_000 + TOKEN_LEEWAY
    for (const [at, records] of [
      [end, 0],
      [end - 1, 1],
    ] as const) {
      kennel.clock.now = at
      await kennel.useCases.logout({ accessToken })
      expect(await kennel.audited()).to.have.lengthOf(records)
    }
  })

  it('writes only an audit record if revocations are disabled', async () => {
    kennel = await composeUseCases({ mode: 'stateless' })
    await kennel.account('ada@example.com')
    ;({ accessToken } = await kennel.login('ada@example.com'))
    await kennel.audited()
    await kennel.useCases.logout({ accessToken })
    expect(await kennel.audited()).to.deep.equal(['logout account:1 account:1 success'])
    expect((await kennel.useCases.getIdentity({ accessToken })).accountId).to.equal(1)
  })
})
