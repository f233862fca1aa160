import { expect } from 'chai'
import {
  createRefuseImpersonatedSession,
  refuseImpersonatedToken,
} from '../../../../src/application/identity/password-reset/refuse-impersonated.js'
import type { Claims } from '../../../../src/domain/identity/claims.js'
import type { ActiveSession, KeyDigest, Session } from '../../../../src/domain/identity/session.js'
import { ACTOR, ADA, AT, CLAIMED_ACTOR, CLAIMS, SESSION_ID } from '../../../support/logins.js'
import { wordsOf } from '../../../support/refusal-of.js'

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

  it("is refused if the cookie's session is an impersonation, after checking whether the impersonation has lapsed", async () => {
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

  it('in stateless mode, is refused because of the token alone', async () => {
    const presented = { client: CLIENT }
    expect(await wordsOf(refuseImpersonatedToken(IMPERSONATION, presented))).to.equal(REFUSED)
    await refuseImpersonatedToken(CLAIMS, presented)
    await refuseImpersonatedToken(undefined, presented)
  })
})
