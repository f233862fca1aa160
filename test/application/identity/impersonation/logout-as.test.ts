import { expect } from 'chai'
import { operations } from '../../../../src/application/index.js'
import type { Caller, Identity } from '../../../../src/domain/access/caller.js'
import type { Account } from '../../../../src/domain/identity/account.js'
import { ACTOR, ADA, ADMIN, AT, BOSS, EDITOR, SESSION_ID } from '../../../support/logins.js'
import { wordsOf } from '../../../support/refusal-of.js'
import { CALLER, CLIENT, fakedParts, type FakedParts } from '../faked-parts.js'

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
