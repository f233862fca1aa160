import { expect } from 'chai'
import type { Identity, Caller } from '../../../../src/domain/access/caller.js'
import type { Account } from '../../../../src/domain/identity/account.js'
import type { LoggedIn } from '../../../../src/application/identity/own-account.js'
import type { ProveFactor } from '../../../../src/application/identity/second-factor/prove-factor.js'
import { operations, type PartsOf } from '../../../../src/application/index.js'
import { ACTOR, ADA, ADMIN, AT, BOSS, EDITOR, SESSION_ID } from '../../../support/logins.js'
import { codeOf, wordsOf } from '../../../support/refusal-of.js'
import { CALLER, CLIENT, fakedParts, type FakedParts } from '../faked-parts.js'

const HOUR = 3_600_000

describe('logging in as another account, with fakes', () => {
  const LOGIN: LoggedIn = {
    ...CALLER,
    accountId: BOSS.id,
    email: BOSS.email,
    epoch: BOSS.epoch,
    endsAt: AT + 10 * HOUR,
    ...({ factor: true, factorSince: AT } as const),
  }
  const ADA_WITHOUT = { ...ADA, roles: [EDITOR] }
  const START_ENTRY = { event: 'impersonation.start', caller: LOGIN, subject: 1, client: CLIENT }

  let faked: FakedParts
  let judged: Identity[]
  beforeEach(() => {
    faked = fakedParts()
    judged = []
  })

  const judge = async ({
    caller = LOGIN,
    account = ADA_WITHOUT,
    userId = 1,
    code,
    ...parts
  }: {
    caller?: LoggedIn
    account?: Account
    userId?: unknown
    code?: unknown
  } & Partial<Pick<PartsOf<'loginAs'>, 'secondFactors' | 'proveFactor'>>) => {
    const loginAs = operations.loginAs.factory({
      ...faked.parts,
      authenticate: async () => caller,
      permissions: {
        allows: (one: Identity, ...action: string[]) => {
          judged.push(one)
          return one.roles.includes(ADMIN) && action.join(':') === 'auth:login-as'
        },
      } as never,
      accounts: { find: async (id: number) => (id === 1 ? account : undefined) } as never,
      maxDuration: HOUR,
      ...parts,
    })
    return await loginAs({ userId, code, presented: { client: CLIENT } })
  }
  const factorsOf = (factor: object | undefined) =>
    ({ find: async (id: number) => (id === BOSS.id ? factor : undefined) }) as never

  it("replaces the caller's login with a login that has an end time and an actor, and audits the change", async () => {
    expect(await judge({})).to.deep.equal({ accessToken: 'next' })
    const { accountId, email, epoch, endsAt } = LOGIN
    const next = {
      account: ADA_WITHOUT,
      client: CLIENT,
      factor: undefined,
      endsAt: AT + HOUR,
      actor: { accountId, email, epoch, endsAt },
    }
    expect(faked.replaced).to.deep.equal([[LOGIN, next]])
    expect(faked.entries).to.deep.equal([{ ...START_ENTRY, by: 'assert' }])
    const { id, email: address, roles } = ADA_WITHOUT
    expect(judged).to.deep.equal([{ kind: 'account', accountId: id, email: address, roles }])
  })

  it("lasts no longer than the actor's login", async () => {
    await judge({ caller: { ...LOGIN, endsAt: AT + HOUR / 2 } })
    expect(faked.replaced[0]?.[1].endsAt).to.equal(AT + HOUR / 2)
  })

  it('reports why it is refused', async () => {
    const missing = 'not-found | userId NotFound: There is no such account, or it is disabled.'
    for (const [options, words] of [
      [
        { caller: { ...LOGIN, actor: ACTOR } },
        'forbidden | Forbidden: You are already acting as another account.',
      ],
      [{ userId: BOSS.id }, 'invalid | userId NotValid: This is your own account.'],
      [{ userId: 9 }, missing],
      [{ account: { ...ADA_WITHOUT, disabledAt: AT } }, missing],
      [{ account: ADA }, 'forbidden | userId Forbidden: You cannot act as an administrator.'],
    ] as const)
      expect(await wordsOf(judge(options))).to.equal(words)
    expect([faked.replaced, faked.entries]).to.deep.equal([[], []])
  })

  it("records no second factor if the caller's account has no active one", async () => {
    for (const secondFactors of [undefined, factorsOf(undefined), factorsOf({ activeSince: undefined })])
      await judge({ secondFactors })
    expect(faked.replaced.map(([, { factor }]) => factor)).to.deep.equal([undefined, undefined, undefined])
  })

  it('requires a code if the account has an active second factor', async () => {
    const secondFactors = factorsOf({ activeSince: AT })
    for (const code of [undefined, ''])
      expect(await codeOf(judge({ secondFactors, code }))).to.equal('second-factor-required')
  })

  it("verifies the code against the caller's account", async () => {
    const proofs: unknown[] = []
    const { factor: _, factorSince: __, ...caller } = LOGIN
    const proveFactor: ProveFactor = async (...args) => {
      proofs.push(args)
      return AT
    }
    await judge({ caller, secondFactors: factorsOf({ activeSince: AT }), proveFactor, code: '123456' })
    expect(proofs).to.deep.equal([[{ id: BOSS.id, email: BOSS.email }, '123456', CLIENT]])
    expect(faked.replaced[0]?.[1].factor).to.equal(AT)
  })

  it('is refused and audited if the code is wrong or codes cannot be verified', async () => {
    for (const proveFactor of [undefined, () => Promise.resolve(undefined)])
      expect(
        await wordsOf(judge({ secondFactors: factorsOf({ activeSince: AT }), proveFactor, code: '123456' })),
      ).to.match(/^login-failed \| code LoginFailed/)
    const failure = { ...START_ENTRY, outcome: 'failure' }
    expect(faked.entries).to.deep.equal([failure, failure])
  })
})

describe('ending an impersonation, with fakes', () => {
  const ACTING: Identity = { ...CALLER, actor: ACTOR }
  let faked: FakedParts
  let callers: Caller[]
  beforeEach(() => {
    faked = fakedParts()
    callers = []
  })

  const judge = async ({
    caller = ACTING,
    account = BOSS,
  }: {
    caller?: Identity
    account?: Account | null
  }) => {
    const logoutAs = operations.logoutAs.factory({
      ...faked.parts,
      authenticate: async () => caller,
      authorize: ((one: Caller) => callers.push(one)) as never,
      accounts: { find: async () => account ?? undefined } as never,
      factorRoles: new Set([ADMIN.key]),
    })
    return await logoutAs({ presented: { client: CLIENT } })
  }

  it("depends on the actor's current roles and the login's second factor", async () => {
    await judge({})
    const common = { kind: 'account', accountId: BOSS.id, email: BOSS.email, epoch: BOSS.epoch }
    const login = { sessionId: SESSION_ID, endsAt: ACTOR.endsAt }
    expect(callers).to.deep.equal([{ ...common, ...login, roles: [EDITOR] }])
    const proven = { ...ACTING, factor: true, factorSince: AT } as const
    await judge({ caller: proven, account: { ...BOSS, secondFactor: AT } })
    expect(callers[1]).to.deep.equal({
      ...common,
      ...login,
      roles: BOSS.roles,
      factor: true,
      factorSince: AT,
    })
    expect(faked.replaced.map(([, { factor, endsAt }]) => [factor, endsAt])).to.deep.equal([
      [undefined, ACTOR.endsAt],
      [AT, ACTOR.endsAt],
    ])
    const entry = { event: 'impersonation.end', subject: ADA.id, client: CLIENT, by: 'assert' }
    expect(faked.entries).to.deep.equal([ACTING, proven].map((caller) => ({ ...entry, caller })))
  })

  it('is rejected if the account was deleted or has changed, or if the caller is not impersonating an account', async () => {
    for (const account of [null, { ...BOSS, disabledAt: AT }, { ...BOSS, epoch: ADA.epoch }])
      expect(await wordsOf(judge({ account }))).to.equal(
        'invalid-token | InvalidToken: Invalid authentication token. | (the login of the actor has ended)',
      )
    expect(await wordsOf(judge({ caller: CALLER }))).to.equal(
      'forbidden | Forbidden: You are not acting as another account.',
    )
    expect([callers, faked.replaced]).to.deep.equal([[], []])
  })
})
