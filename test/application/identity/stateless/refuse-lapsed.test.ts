import type { AuditEntry, AuditTrail } from '../../../../src/application/audit/audit-trail.js'
import { createRefuseLapsedLogin } from '../../../../src/application/identity/stateless/refuse-lapsed.js'
import { TOKEN_LEEWAY } from '../../../../src/application/identity/token-signer.js'
import type { Permissions } from '../../../../src/domain/access/permissions.js'
import type { RoleKey } from '../../../../src/domain/access/role.js'
import type { Account } from '../../../../src/domain/identity/account.js'
import type { Claims } from '../../../../src/domain/identity/claims.js'
import type { Accounts } from '../../../../src/ports/accounts.js'
import type { SecondFactors } from '../../../../src/ports/second-factors.js'
import type { Revocations } from '../../../../src/ports/revocations.js'
import {
  ADA,
  ADMIN,
  AT,
  BOSS,
  CARRIED,
  CLAIMED_ACTOR,
  CLAIMS,
  EDITOR,
  SESSION_ID,
} from '../../../support/logins.js'
import { expect } from 'chai'
import { OPERATOR, type Identity } from '../../../../src/domain/access/caller.js'
import { refusalOf, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../../support/use-cases.js'

describe('an impersonation in a token whose permission is gone', () => {
  let kennel: Composed
  let accessToken: string

  beforeEach(async () => {
    kennel = await composeUseCases({ mode: 'stateless-revocable' })
    await kennel.account('boss@example.com', ['admin'])
    await kennel.account('ada@example.com')
    const boss = await kennel.login('boss@example.com')
    const presented = { accessToken: boss.accessToken }
    ;({ accessToken } = await kennel.useCases.loginAs({ userId: 2, presented }))
    await kennel.audited()
  })

  const identity = () => kennel.useCases.getIdentity({ accessToken })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

  it('is ended by its next use, and audited once', async () => {
    expect((await identity()).email).to.equal('ada@example.com')
    await kennel.useCases.assignRole({
      caller: OPERATOR,
      email: 'boss@example.com',
      role: 'admin',
      remove: true,
    })
    await kennel.audited()
    for (let use = 0; use < 3; use += 1) expect(await codeOf(identity())).to.equal('invalid-token')
    expect(await kennel.audited()).to.deep.equal([
      'impersonation.end account:1 account:2 cause:actor-lost-login-as failure',
    ])
  })

  for (const email of ['boss@example.com', 'ada@example.com']) {
    it(`is refused if ${email} is disabled`, async () => {
      await kennel.useCases.disableUser({ caller: OPERATOR, email })
      expect(await codeOf(identity())).to.equal('invalid-token')
    })
  }

  it('is never assumed for a login without an actor', async () => {
    const own = await kennel.login('ada@example.com')
    await kennel.useCases.assignRole({ caller: OPERATOR, email: 'ada@example.com', role: 'admin' })
    expect((await kennel.useCases.getIdentity(own)).email).to.equal('ada@example.com')
  })
})

describe('an impersonation in a token, with faked parts', () => {
  const entries: AuditEntry[] = []
  const revoked: [string, number][] = []
  beforeEach(() => {
    entries.length = 0
    revoked.length = 0
  })
  /** Only callers with the role `ADMIN` may act as other accounts. */
  const permissions = {
    allows: ({ roles }: Identity) => roles.includes(ADMIN),
  } as unknown as Permissions
  const target = { ...ADA, roles: [EDITOR] }
  const CLAIMED: Claims = { ...CLAIMS, actor: CLAIMED_ACTOR }

  const judge = async ({
    claims = CLAIMED,
    acting = BOSS,
    since,
    ...parts
  }: {
    claims?: Claims
    acting?: Account
    since?: number
    factorRoles?: ReadonlySet<RoleKey>
    revocations?: undefined
  }) => {
    await createRefuseLapsedLogin({
      permissions,
      accounts: { find: async (id: number) => (id === 1 ? target : acting) } as unknown as Accounts,
      secondFactors: {
        find: async (id: number) => (id === 2 && since !== undefined ? { activeSince: since } : undefined),
      } as unknown as SecondFactors,
      audit: { record: async (entry: AuditEntry) => void entries.push(entry) } as unknown as AuditTrail,
      revocations: {
        revoke: async (sessionId: string, until: number) => {
          revoked.push([sessionId, until])
          return 'revoked'
        },
      } as unknown as Revocations,
      ...parts,
    })(claims, undefined)
  }
  const ended = async (options: Parameters<typeof judge>[0]) =>
    expect(await wordsOf(judge(options))).to.match(
      /^invalid-token .*\(the impersonation was ended: actor-lost-login-as\)$/,
    )
  const without = { ...BOSS, roles: [EDITOR] }

  it('is revoked until every token of its login has expired', async () => {
    await judge({})
    await ended({ acting: without })
    expect(revoked).to.deep.equal([[SESSION_ID, AT + 3_600_000 + TOKEN_LEEWAY]])
    expect(entries).to.have.lengthOf(1)
  })

  it('is rejected and audited at every use without revocations', async () => {
    for (let use = 0; use < 2; use += 1) await ended({ acting: without, revocations: undefined })
    expect(entries).to.have.lengthOf(2)
  })

  it('needs the second factor of the actor if its role needs it', async () => {
    const factorRoles = new Set([ADMIN.key])
    const claims: Claims = { ...CLAIMED, login: { ...CARRIED, factor: AT } }
    await judge({ claims, since: AT, factorRoles })
    await ended({ claims, factorRoles })
    for (const since of [AT - 1, AT + 1]) await ended({ claims, since, factorRoles })
    await ended({ claims: CLAIMED, since: AT, factorRoles })
  })

  it('is rejected if an account is in another epoch', async () => {
    expect(await wordsOf(judge({ acting: { ...BOSS, epoch: ADA.epoch } }))).to.match(
      /\(an account of the impersonation is gone, disabled or in another epoch\)$/,
    )
  })
})
