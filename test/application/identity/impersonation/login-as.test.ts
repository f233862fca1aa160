import type { Authorize } from '../../../../src/application/access/authorize.js'
import type { AuditEntry, AuditTrail } from '../../../../src/application/audit/audit-trail.js'
import { operations, type PartsOf } from '../../../../src/application/index.js'
import type { ReplaceLogin } from '../../../../src/application/identity/impersonation/replace-login.js'
import type { ProveFactor } from '../../../../src/application/identity/second-factor/prove-factor.js'
import type { Permissions } from '../../../../src/domain/access/permissions.js'
import type { Account } from '../../../../src/domain/identity/account.js'
import type { Accounts } from '../../../../src/ports/accounts.js'
import type { SecondFactors } from '../../../../src/ports/second-factors.js'
import { ACTOR, ADA, ADMIN, AT, BOSS, EDITOR, SESSION_ID } from '../../../support/logins.js'
import { expect } from 'chai'
import type { Issued } from '../../../../src/application/identity/issue.js'
import { OPERATOR, type Caller, type Identity } from '../../../../src/domain/access/caller.js'
import { refusalOf, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, presentedBy, START, type Composed } from '../../../support/use-cases.js'

const HOUR = 3_600_000

for (const mode of ['stateful', 'stateless-revocable'] as const) {
  describe(`login as, ${mode}`, () => {
    let kennel: Composed
    let boss: Issued

    beforeEach(async () => {
      kennel = await composeUseCases({ mode })
      await kennel.account('boss@example.com', ['admin'])
      await kennel.account('ada@example.com', ['editor'])
      await kennel.account('other-boss@example.com', ['admin'])
      boss = await kennel.login('boss@example.com')
      await kennel.audited()
    })

    const loginAs = (userId: unknown, by: Issued = boss) =>
      kennel.useCases.loginAs({ userId, presented: presentedBy(by) })
    const told = async (userId: unknown, by?: Issued) => {
      const { code, messages } = await refusalOf(loginAs(userId, by))
      return [code, messages[0]?.type]
    }
    const identity = (issued: Issued) => kennel.useCases.getIdentity(presentedBy(issued))

    it('makes the caller the other account, with its roles alone, and says who acts', async () => {
      const issued = await loginAs(2)
      const { roles, actor, email } = await identity(issued)
      expect([email, actor?.email, roles.map(({ key }) => key)]).to.deep.equal([
        'ada@example.com',
        'boss@example.com',
        ['editor'],
      ])
      expect(issued.endsAt).to.equal(START + HOUR)
      expect(await kennel.audited()).to.deep.equal(['impersonation.start account:1 account:2 success'])
      expect((await refusalOf(identity(boss))).code).to.equal('invalid-token')
    })

    it('lasts no longer than the login of the actor', async () => {
      kennel = await composeUseCases({ mode, lifetimes: { session: HOUR / 2, refreshToken: HOUR / 2 } })
      await kennel.account('boss@example.com', ['admin'])
      await kennel.account('ada@example.com')
      boss = await kennel.login('boss@example.com')
      const { endsAt } = await identity(boss)
      expect((await loginAs(2)).endsAt).to.equal(endsAt)
    })

    it('rejects a wrong ID, the own account, a missing account and an administrator, without an audit record', async () => {
      for (const [userId, ...expected] of [
        [undefined, 'malformed', 'Required'],
        ...['2', 0, -1, 1.5, 2 ** 53, null, true, [2], { $gt: 1 }].map(
          (userId) => [userId, 'malformed', 'Format'] as const,
        ),
        [1, 'invalid', 'NotValid'],
        [9, 'not-found', 'NotFound'],
        [3, 'forbidden', 'Forbidden'],
      ] as const)
        expect(await told(userId), JSON.stringify(userId)).to.deep.equal(expected)
      await kennel.useCases.disableUser({ caller: OPERATOR, email: 'ada@example.com' })
      expect((await told(2))[0]).to.equal('not-found')
      expect(await kennel.audited()).to.deep.equal(['user.disable cli:tester account:2 success'])
      expect((await identity(boss)).accountId).to.equal(1)
    })

    it('rejects a caller without the permission and a caller who acts already', async () => {
      expect((await told(1, await kennel.login('ada@example.com')))[0]).to.equal('forbidden')
      const acting = await loginAs(2)
      expect((await told(2, acting))[0]).to.equal('forbidden')
    })

    it('succeeds once for two concurrent calls with the same login', async () => {
      const outcomes = await Promise.allSettled([loginAs(2), loginAs(2)])
      expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
    })
  })
}

describe('login as, with faked parts', () => {
  const CALLER: Identity = {
    kind: 'account',
    accountId: BOSS.id,
    email: BOSS.email,
    roles: BOSS.roles,
    sessionId: SESSION_ID,
    epoch: BOSS.epoch,
    endsAt: AT + 10 * HOUR,
    factor: true,
  }
  const ADA_WITHOUT = { ...ADA, roles: [EDITOR] }
  const CLIENT = { address: '192.0.2.1' }
  const START_ENTRY = { event: 'impersonation.start', caller: CALLER, subject: 1, client: CLIENT }

  let recorded: AuditEntry[]
  let asserted: AuditEntry[]
  let replaced: Parameters<ReplaceLogin>[]
  let judged: Caller[]
  beforeEach(() => {
    recorded = []
    asserted = []
    replaced = []
    judged = []
  })

  const judge = async ({
    caller = CALLER,
    account = ADA_WITHOUT,
    userId = 1,
    code,
    ...parts
  }: {
    caller?: Identity
    account?: Account
    userId?: unknown
    code?: unknown
  } & Partial<Pick<PartsOf<'loginAs'>, 'secondFactors' | 'proveFactor' | 'replaceLogin' | 'audit'>>) => {
    const loginAs = operations.loginAs.factory({
      checkAccessToken: () => expect.fail(),
      authenticate: async () => caller,
      authorize: (() => undefined) as unknown as Authorize,
      permissions: {
        allows: (one: Identity) => {
          judged.push(one)
          return one.roles.includes(ADMIN)
        },
      } as unknown as Permissions,
      accounts: { find: async (id: number) => (id === 1 ? account : undefined) } as unknown as Accounts,
      replaceLogin: async (...args) => {
        replaced.push(args)
        return { accessToken: 'of the other' } as Issued
      },
      audit: {
        record: async (entry: AuditEntry) => void recorded.push(entry),
        assert: async (entry: AuditEntry) => void asserted.push(entry),
      } as unknown as AuditTrail,
      maxDuration: HOUR,
      clock: () => AT,
      ...parts,
    })
    return await loginAs({ userId, code, presented: { client: CLIENT } })
  }
  const factorsOf = (factor: object | undefined) =>
    ({ find: async (id: number) => (id === BOSS.id ? factor : undefined) }) as unknown as SecondFactors

  it('replaces the own login with a login that has an end and an actor, and audits it', async () => {
    expect(await judge({})).to.deep.equal({ accessToken: 'of the other' })
    const { accountId, email, epoch, endsAt } = CALLER
    const next = {
      account: ADA_WITHOUT,
      client: CLIENT,
      factor: true,
      endsAt: AT + HOUR,
      actor: { accountId, email, epoch, endsAt },
    }
    expect(replaced).to.deep.equal([[CALLER, next]])
    expect([asserted, recorded]).to.deep.equal([[START_ENTRY], []])
    const { id, email: address, roles } = ADA_WITHOUT
    expect(judged).to.deep.equal([{ kind: 'account', accountId: id, email: address, roles }])
  })

  it('reports the cause', async () => {
    const actor = { ...ACTOR, accountId: ADA.id }
    for (const [options, words] of [
      [{ caller: { ...CALLER, actor } }, 'forbidden | Forbidden: You act as somebody else already.'],
      [{ code: 7 }, 'malformed | code Format: must be a string'],
      [{ userId: BOSS.id }, 'invalid | userId NotValid: This is your own account.'],
      [{ userId: 9 }, 'not-found | userId NotFound: There is no such account, or it is disabled.'],
      [{ account: ADA }, 'forbidden | userId Forbidden: Nobody can act as an administrator.'],
    ] as const)
      expect(await wordsOf(judge(options))).to.equal(words)
    expect([replaced, asserted, recorded]).to.deep.equal([[], [], []])
  })

  it('keeps the factor of the login if the account has no active second factor', async () => {
    for (const secondFactors of [undefined, factorsOf(undefined), factorsOf({ activeSince: undefined })])
      await judge({ secondFactors })
    expect(replaced.map(([, { factor }]) => factor)).to.deep.equal([true, true, true])
  })

  it('asks for a code of an active second factor', async () => {
    const secondFactors = factorsOf({ activeSince: AT })
    for (const code of [undefined, ''])
      expect((await refusalOf(judge({ secondFactors, code }))).code).to.equal('second-factor-required')
  })

  it('verifies the code for the account of the caller', async () => {
    const proofs: unknown[] = []
    const { factor: _factor, ...caller } = CALLER
    const proveFactor: ProveFactor = async (...args) => {
      proofs.push(args)
      return true
    }
    await judge({ caller, secondFactors: factorsOf({ activeSince: AT }), proveFactor, code: '123456' })
    expect(proofs).to.deep.equal([[{ id: BOSS.id, email: BOSS.email }, '123456', CLIENT]])
    expect(replaced[0]?.[1].factor).to.equal(true)
  })

  it('is refused and audited with a wrong code, and if codes cannot be verified', async () => {
    for (const proveFactor of [undefined, () => Promise.resolve(false)])
      expect(
        await wordsOf(judge({ secondFactors: factorsOf({ activeSince: AT }), proveFactor, code: '123456' })),
      ).to.match(/^login-failed \| code LoginFailed/)
    const failure = { ...START_ENTRY, outcome: 'failure' }
    expect([recorded, asserted]).to.deep.equal([[failure, failure], []])
  })

  it('replaces no login if it cannot be audited', async () => {
    const audit = { assert: () => Promise.reject(new Error('the disk is full')) } as unknown as AuditTrail
    expect(await judge({ audit }).catch(String)).to.equal('Error: the disk is full')
    expect(replaced).to.deep.equal([])
  })

  it('is audited as a failure if the login could not be replaced', async () => {
    const error = new Error('lost')
    const outcome: unknown = await judge({ replaceLogin: () => Promise.reject(error) }).catch(
      (one: unknown) => one,
    )
    expect(outcome).to.equal(error)
    expect(recorded).to.deep.equal([{ ...START_ENTRY, outcome: 'failure' }])
  })
})
