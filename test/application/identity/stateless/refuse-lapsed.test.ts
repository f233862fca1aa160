import { createRefuseLapsedLogin } from '../../../../src/application/identity/stateless/refuse-lapsed.js'
import { TOKEN_LEEWAY } from '../../../../src/application/identity/token-signer.js'
import type { RoleKey } from '../../../../src/domain/access/role.js'
import type { Account } from '../../../../src/domain/identity/account.js'
import type { Claims } from '../../../../src/domain/identity/claims.js'
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
import type { Identity } from '../../../../src/domain/access/caller.js'
import { wordsOf } from '../../../support/refusal-of.js'
import { fakedParts, type FakedParts } from '../faked-parts.js'

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

  it('is not assumed for a login without an actor', async () => {
    await judge({ claims: CLAIMS, acting: without, target: ADA })
    expect([faked.entries, revoked]).to.deep.equal([[], []])
  })
})
