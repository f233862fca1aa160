import type { Authorize } from '../../../../src/application/access/authorize.js'
import type { AuditEntry, AuditTrail } from '../../../../src/application/audit/audit-trail.js'
import { operations } from '../../../../src/application/index.js'
import type { ReplaceLogin } from '../../../../src/application/identity/impersonation/replace-login.js'
import type { Account } from '../../../../src/domain/identity/account.js'
import type { Accounts } from '../../../../src/ports/accounts.js'
import { ACTOR, ADA, ADMIN, AT, BOSS, EDITOR, SESSION_ID } from '../../../support/logins.js'
import { expect } from 'chai'
import type { Issued } from '../../../../src/application/identity/issue.js'
import { OPERATOR, type Caller, type Identity } from '../../../../src/domain/access/caller.js'
import { refusalOf, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, presentedBy, type Composed } from '../../../support/use-cases.js'

for (const mode of ['stateful', 'stateless-revocable'] as const) {
  describe(`logout as, ${mode}`, () => {
    let kennel: Composed
    let boss: Issued
    let endsAt: number | undefined
    let acting: Issued

    beforeEach(async () => {
      kennel = await composeUseCases({ mode })
      await kennel.account('boss@example.com', ['admin'])
      await kennel.account('ada@example.com')
      boss = await kennel.login('boss@example.com')
      ;({ endsAt } = await identity(boss))
      acting = await kennel.useCases.loginAs({ userId: 2, presented: presentedBy(boss) })
      await kennel.audited()
    })

    const logoutAs = (by = acting) => kennel.useCases.logoutAs({ presented: presentedBy(by) })
    const identity = (issued: Issued) => kennel.useCases.getIdentity(presentedBy(issued))
    const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

    it('gives the actor a new login with the end of the previous login', async () => {
      const again = await logoutAs()
      expect(await identity(again))
        .to.include({ email: 'boss@example.com' })
        .and.not.have.property('actor')
      expect(again.endsAt).to.equal(endsAt)
      expect(await codeOf(identity(acting))).to.equal('invalid-token')
      expect(await kennel.audited()).to.deep.equal(['impersonation.end account:1 account:2 success'])
    })

    it('rejects a caller who does not act, and missing credentials', async () => {
      expect(await codeOf(logoutAs(await kennel.login('boss@example.com')))).to.equal('forbidden')
      expect(await codeOf(kennel.useCases.logoutAs({ presented: {} }))).to.equal('unauthenticated')
    })

    it('is rejected if the account of the actor has changed', async () => {
      await kennel.useCases.disableUser({ caller: OPERATOR, email: 'boss@example.com' })
      expect(await codeOf(logoutAs())).to.equal('invalid-token')
    })
  })
}

describe('logout as, with faked parts', () => {
  const CALLER: Identity = {
    kind: 'account',
    accountId: ADA.id,
    email: ADA.email,
    roles: ADA.roles,
    sessionId: SESSION_ID,
    epoch: ADA.epoch,
    endsAt: AT + 1000,
    actor: ACTOR,
  }
  const CLIENT = { address: '192.0.2.1' }
  let recorded: AuditEntry[]
  let replaced: Parameters<ReplaceLogin>[]
  let callers: Caller[]
  beforeEach(() => {
    recorded = []
    replaced = []
    callers = []
  })

  const judge = async ({
    caller = CALLER,
    account = BOSS,
    failing,
    unaudited,
  }: {
    caller?: Identity
    account?: Account | null
    failing?: Error
    unaudited?: Error
  }) => {
    const logoutAs = operations.logoutAs.factory({
      checkAccessToken: () => expect.fail(),
      authenticate: async () => caller,
      authorize: ((one: Caller) => callers.push(one)) as unknown as Authorize,
      accounts: { find: async () => account ?? undefined } as unknown as Accounts,
      replaceLogin: async (...args) => {
        replaced.push(args)
        if (failing) throw failing
        return { accessToken: 'of their own' } as Issued
      },
      audit: {
        record: async (entry: AuditEntry) => void recorded.push(entry),
        assert: () => (unaudited ? Promise.reject(unaudited) : Promise.resolve()),
      } as unknown as AuditTrail,
      factorRoles: new Set([ADMIN.key]),
    })
    return await logoutAs({ presented: { client: CLIENT } })
  }

  it('is permitted by the current roles of the actor and the factor of the login', async () => {
    await judge({})
    const common = { kind: 'account', accountId: BOSS.id, email: BOSS.email, epoch: BOSS.epoch }
    const login = { sessionId: SESSION_ID, endsAt: ACTOR.endsAt }
    expect(callers).to.deep.equal([{ ...common, ...login, roles: [EDITOR] }])
    const proven = { ...CALLER, factor: true } as const
    await judge({ caller: proven, account: { ...BOSS, secondFactor: true } })
    expect(callers[1]).to.deep.equal({ ...common, ...login, roles: BOSS.roles, factor: true })
    expect(replaced.map(([, { factor, endsAt }]) => [factor, endsAt])).to.deep.equal([
      [undefined, ACTOR.endsAt],
      [true, ACTOR.endsAt],
    ])
  })

  it('is rejected if the account is gone or has changed since its authentication', async () => {
    for (const account of [null, { ...BOSS, disabledAt: AT }, { ...BOSS, epoch: ADA.epoch }])
      expect(await wordsOf(judge({ account }))).to.equal(
        'invalid-token | InvalidToken: Invalid authentication token. | (the actor has ended)',
      )
    expect([callers, replaced]).to.deep.equal([[], []])
  })

  it('says that there is nothing to stop', async () => {
    const { actor: _actor, ...caller } = CALLER
    expect(await wordsOf(judge({ caller }))).to.equal(
      'forbidden | Forbidden: You do not act as somebody else.',
    )
  })

  it('replaces no login if it cannot be audited', async () => {
    const unaudited = new Error('the disk is full')
    expect(await judge({ unaudited }).catch((one: unknown) => one)).to.equal(unaudited)
    expect(replaced).to.deep.equal([])
  })

  it('is audited as a failure if the login could not be replaced', async () => {
    const failing = new Error('lost')
    const outcome: unknown = await judge({ failing }).catch((one: unknown) => one)
    expect(outcome).to.equal(failing)
    expect(recorded).to.deep.equal([
      { event: 'impersonation.end', caller: CALLER, subject: ADA.id, client: CLIENT, outcome: 'failure' },
    ])
  })
})
