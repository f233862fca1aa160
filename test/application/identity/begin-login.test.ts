import { expect } from 'chai'
import type { Identity } from '../../../src/domain/access/caller.js'
import type { Session, SessionKey } from '../../../src/domain/identity/session.js'
import { tooManyRoles } from '../../../src/domain/refusal.js'
import {
  createStartSession,
  createStartStateless,
  withAudit,
  createReplaceSession,
  createReplaceStateless,
  type BeginLogin,
} from '../../../src/application/identity/begin-login.js'
import type { Issued } from '../../../src/application/identity/issue.js'
import { assertLogin, assertOwnLogin } from '../../../src/application/identity/own-account.js'
import { TOKEN_LEEWAY } from '../../../src/application/identity/token-signer.js'
import { ACTOR, AT, ADA, SESSION_ID, BOSS } from '../../support/logins.js'
import { wordsOf, wordsOfCall } from '../../support/refusal-of.js'
import { CLIENT, fakedParts, CALLER as LOGIN } from './faked-parts.js'

describe('a new login', () => {})

describe('starting a login, with faked parts', () => {
  const opened = { id: SESSION_ID, accountId: ADA.id } as Session
  const before = { id: 'before', accountId: ADA.id, endsAt: AT } as unknown as Session

  const start = async (found: Session | undefined, telling = true) => {
    const terms: unknown[] = []
    const told: unknown[] = []
    const { parts, entries } = fakedParts()
    const ended: unknown[] = []
    const startLogin = createStartSession({
      ...parts,
      sessions: {
        find: async () => found && { account: ADA, session: found },
        end: async (id: string) => void ended.push(id),
      } as never,
      sessionKeys: { digest: (key: string) => key } as never,
      openSession: async (_account, term) => {
        terms.push(term)
        return { session: opened, sessionKey: 'key' as SessionKey }
      },
      issue: async () => ({ accessToken: 'token' }) as Issued,
      ...(telling && { tellNewClient: async (login: unknown) => void told.push(login) }),
    })
    await startLogin(ADA, { sessionKey: 'cookie', client: CLIENT }, { factor: 7, remember: true })
    expect(terms).to.deep.equal([{ client: CLIENT, factor: 7, remember: true }])
    return { told, entries, ended }
  }
  const news = (replaced: Session | undefined) => [
    { account: ADA, session: opened, replaced, client: CLIENT },
  ]

  it('passes the replaced session to the new-client notice', async () => {
    expect(await start(before)).to.deep.equal({ told: news(before), entries: [], ended: ['before'] })
    expect(await start(undefined)).to.deep.equal({ told: news(undefined), entries: [], ended: [] })
    expect((await start(undefined, false)).told).to.deep.equal([])
  })

  it('ends and audits an impersonation, which does not count as an earlier login of the account', async () => {
    const { told, entries, ended } = await start({ ...before, actor: ACTOR })
    expect([told, ended]).to.deep.equal([news(undefined), ['before']])
    expect(entries.map(({ event, subject, client }) => [event, subject, client])).to.deep.equal([
      ['impersonation.end', ADA.id, CLIENT],
    ])
  })

  it('passes the second factor to the new login in stateless mode', async () => {
    const begun: unknown[] = []
    const startLogin = createStartStateless({
      beginLogin: async (...args) => {
        begun.push(args)
        return { accessToken: 'token' } as Issued
      },
    })
    await startLogin(ADA, { client: CLIENT }, { factor: 7, remember: true })
    await startLogin(ADA, { client: CLIENT })
    expect(begun).to.deep.equal([
      [ADA, { client: CLIENT, factor: 7, passkey: undefined }],
      [ADA, { client: CLIENT, factor: undefined, passkey: undefined }],
    ])
  })
})

const ISSUED = { accessToken: 'next' } as Issued

describe('a login that replaces another login', () => {
  let begun: Parameters<BeginLogin>[]
  beforeEach(() => {
    begun = []
  })
  const beginLogin: BeginLogin = async (...args) => {
    begun.push(args)
    return ISSUED
  }
  const next = { account: BOSS, endsAt: AT + 1000 }

  it('starts after ending the previous session, unless another call has ended that session', async () => {
    let outcome = 'ended'
    const sessions = { end: async () => outcome } as never
    const replaceLogin = createReplaceSession({ sessions, beginLogin })
    expect(await replaceLogin(LOGIN, next)).to.equal(ISSUED)
    expect(begun).to.deep.equal([[BOSS, { endsAt: AT + 1000 }]])
    outcome = 'unknown'
    expect(await wordsOf(replaceLogin(LOGIN, next))).to.match(/^invalid-token .*\(the session has ended\)$/)
    expect(begun).to.have.lengthOf(1)
  })

  it('revokes the previous tokens once the new login has started, unless another call has revoked them', async () => {
    const revoked: unknown[] = []
    const revocations = {
      revoke: async (...args: unknown[]) => (revoked.push(args) === 1 ? 'revoked' : 'unchanged'),
    } as never
    const replaceLogin = createReplaceStateless({ revocations, beginLogin })
    expect(await replaceLogin(LOGIN, next)).to.equal(ISSUED)
    expect(begun).to.deep.equal([[BOSS, { endsAt: AT + 1000 }]])
    expect(revoked).to.deep.equal([[SESSION_ID, LOGIN.endsAt + TOKEN_LEEWAY]])
    expect(await wordsOf(replaceLogin(LOGIN, next))).to.match(/^invalid-token .*\(the login was revoked\)$/)
  })

  it('leaves the tokens of the previous login valid if the new login is refused', async () => {
    const revocations = { revoke: () => expect.fail() } as never
    const beginLogin = () => Promise.reject(tooManyRoles('too long'))
    const replaceLogin = createReplaceStateless({ revocations, beginLogin })
    expect(await wordsOf(replaceLogin(LOGIN, next))).to.match(/^forbidden .*\(too long\)$/)
  })
})

describe('a replacement that must be audited', () => {
  const entry = { event: 'impersonation.start', caller: LOGIN } as const
  const error = new Error('lost')
  const errorOf = (promise: Promise<unknown>) => promise.catch((one: unknown) => one)

  it('does not start if it cannot be audited', async () => {
    const audit = { ...fakedParts().parts.audit, assert: () => Promise.reject(error) }
    expect(await errorOf(withAudit(audit, entry, () => expect.fail()))).to.equal(error)
  })

  it('is audited as a failure if the replacement fails', async () => {
    const { parts, entries } = fakedParts()
    expect(await withAudit(parts.audit, entry, async () => 7)).to.equal(7)
    expect(await errorOf(withAudit(parts.audit, entry, () => Promise.reject(error)))).to.equal(error)
    const [asserted, failure] = [
      { ...entry, by: 'assert' },
      { ...entry, outcome: 'failure' },
    ]
    expect(entries).to.deep.equal([asserted, asserted, failure])
  })
})

describe('an identity', () => {
  it('belongs to a login only if the session ID, epoch and end time are all present', async () => {
    expect(assertLogin(LOGIN)).to.deep.equal(LOGIN)
    for (const part of ['sessionId', 'epoch', 'endsAt'] as const) {
      const { [part]: _part, ...identity }: Identity = LOGIN
      expect(await wordsOfCall(() => assertLogin(identity))).to.match(
        /^invalid-token .*\(the identity has no login\)$/,
      )
    }
  })

  it("belongs to the caller's own login only if the caller does not impersonate another account", async () => {
    expect(assertOwnLogin(LOGIN)).to.deep.equal(LOGIN)
    expect(await wordsOfCall(() => assertOwnLogin({ ...LOGIN, actor: ACTOR }))).to.equal(
      'forbidden | Forbidden: This is not possible while you are acting as another account.',
    )
  })
})
