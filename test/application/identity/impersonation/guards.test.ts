import { expect } from 'chai'
import { OPERATOR, type Identity } from '../../../../src/domain/access/caller.js'
import type { RoleKey } from '../../../../src/domain/access/role.js'
import type { Account } from '../../../../src/domain/identity/account.js'
import type { Claims } from '../../../../src/domain/identity/claims.js'
import type { Session, ActiveSession, KeyDigest } from '../../../../src/domain/identity/session.js'
import {
  createRefuseLapsedSession,
  createRefuseLapsedLogin,
  createRefuseImpersonatedSession,
  refuseImpersonatedToken,
} from '../../../../src/application/identity/impersonation/guards.js'
import type { Issued } from '../../../../src/application/identity/issue.js'
import { TOKEN_LEEWAY } from '../../../../src/application/identity/token-signer.js'
import { RESETS_PERMITTED } from '../../../support/http/resetting.js'
import {
  ACTOR,
  ADA,
  AT,
  SESSION_ID,
  ADMIN,
  BOSS,
  CARRIED,
  CLAIMED_ACTOR,
  CLAIMS,
  EDITOR,
} from '../../../support/logins.js'
import { codeOf, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, presentedBy, type Composed } from '../../../support/use-cases.js'
import { fakedParts, type FakedParts } from '../faked-parts.js'

/** Uses of an impersonation that do not call `authenticate`. */
const USES: Readonly<Record<string, (kennel: Composed, acting: Issued) => Promise<unknown>>> = {
  refresh: ({ useCases }, acting) =>
    useCases.refresh({ refreshToken: acting.refreshToken, presented: presentedBy(acting) }),
  requestPasswordReset: ({ useCases }, acting) =>
    useCases.requestPasswordReset({ email: 'ada@example.com', presented: presentedBy(acting) }),
  identifyPage: ({ useCases }, acting) =>
    useCases.identifyPage({ method: 'GET', sessionKey: acting.sessionKey }),
}
/**
 * Operations that are tested only with sessions: in stateless mode, a reset trusts the token without checking the
 * roles, and pages are not
 * supported.
 */
const WITH_SESSIONS = ['requestPasswordReset', 'identifyPage']

const ADDRESS = 'boss@example.com'
const LAPSES = {
  'actor-lost-login-as': { email: ADDRESS, remove: true },
  'target-gained-login-as': { email: 'ada@example.com', remove: false },
}

for (const mode of ['stateful', 'stateless-revocable'] as const) {
  describe(`an impersonation that is no longer permitted, ${mode}`, () => {
    let kennel: Composed
    let acting: Issued
    const assign = async (change: { email: string; remove?: boolean }) => {
      await kennel.useCases.assignRole({ caller: OPERATOR, role: 'admin', ...change })
      await kennel.audited()
    }

    beforeEach(async () => {
      kennel = await composeUseCases({ mode, permissions: RESETS_PERMITTED })
      await kennel.account(ADDRESS, ['admin'])
      await kennel.account('ada@example.com')
      const presented = presentedBy(await kennel.login(ADDRESS))
      acting = await kennel.useCases.loginAs({ userId: 2, presented })
    })

    for (const [cause, change] of Object.entries(LAPSES))
      it(`ends at the next request, with one audit record: ${cause}`, async () => {
        const identity = () => kennel.useCases.getIdentity(presentedBy(acting))
        expect((await identity()).email).to.equal('ada@example.com')
        await assign(change)
        const codes = await Promise.all([identity(), identity(), identity()].map(codeOf))
        expect(codes).to.deep.equal(['invalid-token', 'invalid-token', 'invalid-token'])
        expect(await kennel.audited()).to.deep.equal([
          `impersonation.end account:1 account:2 cause:${cause} failure`,
        ])
      })

    const uses = Object.entries(USES).filter(([use]) => mode === 'stateful' || !WITH_SESSIONS.includes(use))
    for (const [use, call] of uses)
      it(`ends at the next call to ${use}, even if the permission has been restored`, async () => {
        await assign({ email: ADDRESS, remove: true })
        expect(await codeOf(call(kennel, acting))).to.equal('invalid-token')
        expect(await kennel.audited()).to.deep.equal([
          'impersonation.end account:1 account:2 cause:actor-lost-login-as failure',
        ])
        await assign({ email: ADDRESS })
        expect(await codeOf(kennel.useCases.getIdentity(presentedBy(acting)))).to.equal('invalid-token')
      })
  })
}

describe('an impersonation whose actor has no roles', () => {
  it('is no longer permitted', async () => {
    const judged: Identity[] = []
    const permissions = { allows: (one: Identity) => judged.push(one) < 0 } as never
    const refuseLapsed = createRefuseLapsedSession({
      permissions,
      sessions: { end: async () => 'unknown' } as never,
      audit: { record: () => expect.fail() } as never,
    })
    const session = { id: SESSION_ID, endsAt: AT, actor: ACTOR } as Session
    expect(await wordsOf(refuseLapsed({ session, account: ADA }, undefined))).to.match(
      /^invalid-token .*\(the impersonation was ended: actor-lost-login-as\)$/,
    )
    expect(judged.map(({ roles }) => roles)).to.deep.equal([[]])
  })
})

describe('an impersonation in a token, with fakes', () => {
  let faked: FakedParts
  let revoked: [string, number][]
  beforeEach(() => {
    faked = fakedParts()
    revoked = []
  })
  /** Only callers with the role `ADMIN` may act as other accounts. */
  const permissions = { allows: ({ roles }: Identity) => roles.includes(ADMIN) } as never
  const TARGET: Account = { ...ADA, roles: [EDITOR] }
  const CLAIMED: Claims = { ...CLAIMS, actor: CLAIMED_ACTOR }

  const judge = async ({
    claims = CLAIMED,
    target = TARGET,
    acting = BOSS,
    since,
    ...parts
  }: {
    claims?: Claims
    target?: Account
    acting?: Account
    since?: number
    factorRoles?: ReadonlySet<RoleKey>
    revocations?: undefined
  }) => {
    await createRefuseLapsedLogin({
      permissions,
      accounts: { find: async (id: number) => (id === 1 ? target : acting) } as never,
      secondFactors: {
        find: async (id: number) => (id === 2 && since !== undefined ? { activeSince: since } : undefined),
      } as never,
      audit: faked.parts.audit,
      revocations: {
        revoke: async (sessionId: string, until: number) => {
          revoked.push([sessionId, until])
          return 'revoked'
        },
      } as never,
      ...parts,
    })(claims, undefined)
  }
  const ended = async (options: Parameters<typeof judge>[0]) =>
    expect(await wordsOf(judge(options))).to.match(
      /^invalid-token .*\(the impersonation was ended: actor-lost-login-as\)$/,
    )
  const without = { ...BOSS, roles: [EDITOR] }

  it('stays revoked until every token of its login has expired', async () => {
    await judge({})
    await ended({ acting: without })
    expect(revoked).to.deep.equal([[SESSION_ID, AT + 3_600_000 + TOKEN_LEEWAY]])
    expect(faked.entries).to.have.lengthOf(1)
  })

  it('is rejected and audited at every request if the store has no revocations', async () => {
    for (let use = 0; use < 2; use += 1) await ended({ acting: without, revocations: undefined })
    expect(faked.entries).to.have.lengthOf(2)
  })

  it("requires the actor's second factor if the role requires a second factor", async () => {
    const factorRoles = new Set([ADMIN.key])
    const claims: Claims = { ...CLAIMED, login: { ...CARRIED, factor: AT } }
    await judge({ claims, since: AT, factorRoles })
    await ended({ claims, factorRoles })
    for (const since of [AT - 1, AT + 1]) await ended({ claims, since, factorRoles })
    await ended({ claims: CLAIMED, since: AT, factorRoles })
  })

  it('is rejected if either account is disabled or has a different epoch', async () => {
    for (const change of [
      { acting: { ...BOSS, epoch: ADA.epoch } },
      { acting: { ...BOSS, disabledAt: AT } },
      { target: { ...TARGET, epoch: BOSS.epoch } },
      { target: { ...TARGET, disabledAt: AT } },
    ])
      expect(await wordsOf(judge(change))).to.match(
        /\(an account in the impersonation was removed or disabled, or its epoch has changed\)$/,
      )
  })
})

const { login: _login, ...PLAIN } = CLAIMS
const IMPERSONATION: Claims = { ...PLAIN, actor: CLAIMED_ACTOR }
const REFUSED = 'forbidden | Forbidden: This is not possible while you are acting as another account.'
const CLIENT = { address: '192.0.2.1' }

function found(session: Partial<Session>): ActiveSession {
  return { account: ADA, session: { id: SESSION_ID, endsAt: AT, ...session } as Session }
}

describe('an action that is refused during an impersonation', () => {
  let lapsed: unknown[]
  beforeEach(() => {
    lapsed = []
  })

  const judge = (sessions: { byKey?: ActiveSession; byId?: ActiveSession }) => {
    const refuse = createRefuseImpersonatedSession({
      sessions: {
        find: async (digest: KeyDigest, at: number) =>
          (digest as string) === 'digest of key' && at === AT ? sessions.byKey : undefined,
        findById: async (id: string, at: number) =>
          id === SESSION_ID && at === AT ? sessions.byId : undefined,
      } as never,
      sessionKeys: { digest: (key: string) => `digest of ${key}` } as never,
      refuseLapsed: async (...args) => void lapsed.push(args),
      clock: () => AT,
    })
    return (claims: Claims | undefined, sessionKey?: string) =>
      refuse(claims, { client: CLIENT, ...(sessionKey !== undefined && { sessionKey }) })
  }
  const acting = found({ actor: ACTOR })

  it("is refused if the cookie's session is an impersonation, but only after the check for a lapsed impersonation", async () => {
    expect(await wordsOf(judge({ byKey: acting })(undefined, 'key'))).to.equal(REFUSED)
    expect(lapsed).to.deep.equal([[acting, CLIENT]])
  })

  it('is refused if the session named by the token is an impersonation', async () => {
    expect(await wordsOf(judge({ byId: acting })(IMPERSONATION))).to.equal(REFUSED)
    expect(lapsed).to.deep.equal([[acting, CLIENT]])
  })

  it('is allowed for a login without an actor, and for a session that has ended', async () => {
    const own = found({})
    await judge({ byKey: own, byId: own })(PLAIN, 'key')
    await judge({ byId: own })(IMPERSONATION)
    await judge({})(IMPERSONATION, 'key')
    await judge({ byKey: acting, byId: acting })(PLAIN)
    await judge({ byKey: acting, byId: acting })(undefined)
    expect(lapsed).to.deep.equal([])
  })

  it('is refused in stateless mode because of the token alone', async () => {
    const presented = { client: CLIENT }
    expect(await wordsOf(refuseImpersonatedToken(IMPERSONATION, presented))).to.equal(REFUSED)
    await refuseImpersonatedToken(CLAIMS, presented)
    await refuseImpersonatedToken(undefined, presented)
  })
})
