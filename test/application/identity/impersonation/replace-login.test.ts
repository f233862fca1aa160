import { expect } from 'chai'
import type { BeginLogin } from '../../../../src/application/identity/begin-login.js'
import {
  withAudit,
  createReplaceSession,
  createReplaceStateless,
} from '../../../../src/application/identity/impersonation/replace-login.js'
import type { Issued } from '../../../../src/application/identity/issue.js'
import { assertLogin, assertOwnLogin } from '../../../../src/application/identity/own-account.js'
import { TOKEN_LEEWAY } from '../../../../src/application/identity/token-signer.js'
import type { Identity } from '../../../../src/domain/access/caller.js'
import { tooManyRoles } from '../../../../src/domain/refusal.js'
import { ACTOR, AT, BOSS, SESSION_ID } from '../../../support/logins.js'
import { wordsOf, wordsOfCall } from '../../../support/refusal-of.js'
import { CALLER as LOGIN, fakedParts } from '../faked-parts.js'

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

  it('starts if the store has no revocations', async () => {
    expect(await createReplaceStateless({ beginLogin })(LOGIN, next)).to.equal(ISSUED)
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
