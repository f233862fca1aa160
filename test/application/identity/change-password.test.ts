import { operations, type PartsOf } from '../../../src/application/index.js'
import type { Account } from '../../../src/domain/identity/account.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import { ADA, AT } from '../../support/logins.js'
import { CALLER, CLIENT, fakedParts, type FakedParts } from './faked-parts.js'
import { expect } from 'chai'
import { codeOf, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../support/use-cases.js'

const email = 'ada@example.com'
const NEW = 'the stable door is open'

describe('a password change without sessions', () => {
  it('returns a new token pair and invalidates the previous pair', async () => {
    const kennel = await composeUseCases({ mode: 'stateless' })
    await kennel.account(email)
    const before = await kennel.login(email)
    const change = (accessToken: string, password: string, newPassword: string) =>
      kennel.useCases.changePassword({ password, newPassword, presented: { accessToken } })
    const next = await change(before.accessToken, PASSWORD, NEW)
    expect((await kennel.useCases.getIdentity(presentedBy(next))).email).to.equal(email)
    const refreshed = kennel.useCases.refresh({ refreshToken: before.refreshToken, presented: {} })
    expect(await codeOf(refreshed)).to.equal('invalid-token')
    const again = change(before.accessToken, NEW, `${NEW} again`)
    expect(await codeOf(again)).to.equal('invalid-token')
  })
})

describe("changing one's own password, with fakes", () => {
  const HASH = 'hash' as PasswordHash
  const ACCOUNT: Account = { ...ADA, passwordHash: HASH }
  let faked: FakedParts
  let contexts: unknown[]
  let hashed: unknown[]
  let begun: unknown[]
  beforeEach(() => {
    faked = fakedParts()
    contexts = []
    hashed = []
    begun = []
  })

  type Setting = { readonly account?: Account; readonly epoch?: number | undefined; readonly fields?: object }
  const judge = async (setting: Setting = {}) => {
    const { account = ACCOUNT, epoch, fields } = { epoch: ADA.epoch + 1, ...setting }
    const parts = {
      ...faked.parts,
      authenticate: async () => ({ ...CALLER, factor: true, factorSince: 5 }),
      accounts: { find: async () => account, changePassword: async () => epoch },
      hasher: {
        verify: async (password: unknown, hash: unknown) => {
          hashed.push(['verify', password, hash])
          return password === PASSWORD
        },
        hash: async (password: unknown) => {
          hashed.push(['hash', password])
          return 'next'
        },
      },
      passwordPolicy: async (value: string, context: unknown) => {
        contexts.push(context)
        return value === 'short' ? { ok: false, type: 'Length', rule: 'too short' } : { ok: true, value }
      },
      beginLogin: async (...args: unknown[]) => {
        begun.push(args)
        return { accessToken: 'next' }
      },
    } as unknown as PartsOf<'changePassword'>
    const presented = { client: CLIENT }
    return await operations.changePassword.factory(parts)({
      password: PASSWORD,
      newPassword: NEW,
      presented,
      ...fields,
    })
  }
  const outcomes = () => faked.entries.map(({ outcome = 'success' }) => outcome)

  it('checks the new password against the email, and returns a login that keeps the end time and the second factor', async () => {
    expect(await judge()).to.deep.equal({ accessToken: 'next' })
    expect(contexts).to.deep.equal([{ email: ADA.email }])
    const account = { ...ADA, passwordHash: 'next', epoch: ADA.epoch + 1 }
    const proved = { at: AT }
    expect(begun).to.deep.equal([[account, { endsAt: CALLER.endsAt, factor: 5, proved, client: CLIENT }]])
    expect(hashed).to.deep.equal([
      ['verify', PASSWORD, HASH],
      ['hash', NEW],
    ])
  })

  it('verifies one hash for a wrong password and audits the failure, and verifies no hash if a rule is broken', async () => {
    for (const newPassword of ['short', PASSWORD, ''])
      expect(await codeOf(judge({ fields: { newPassword } }))).to.equal('invalid')
    expect(await codeOf(judge({ fields: { password: '' } }))).to.equal('invalid')
    expect([hashed, faked.entries]).to.deep.equal([[], []])
    for (const password of ['a wrong password', `${PASSWORD}\u0000`, 'x'.repeat(5_000)])
      expect(await wordsOf(judge({ fields: { password } }))).to.equal(
        'invalid | password NotValid: not-valid',
      )
    expect(hashed).to.deep.equal([
      ['verify', 'a wrong password', HASH],
      ['verify', undefined, HASH],
      ['verify', undefined, HASH],
    ])
    expect(outcomes()).to.deep.equal(['failure', 'failure', 'failure'])
  })

  it('reports each invalid field', async () => {
    for (const [fields, words] of [
      [
        { password: undefined, newPassword: '' },
        'invalid | password Required: required | newPassword Required: required',
      ],
      [{ newPassword: 'short' }, 'invalid | newPassword Length: too short'],
      [{ newPassword: PASSWORD }, 'invalid | newPassword NotValid: must differ from the current password'],
    ] as const)
      expect(await wordsOf(judge({ fields }))).to.equal(words)
  })

  it('is refused if another call has changed the password in the meantime', async () => {
    expect(await wordsOf(judge({ epoch: undefined }))).to.equal('invalid | password NotValid: not-valid')
    expect([begun, outcomes()]).to.deep.equal([[], ['failure']])
  })

  it('returns no new login if another call has ended all logins in the meantime', async () => {
    expect(await wordsOf(judge({ epoch: ADA.epoch + 2 }))).to.match(
      /^invalid-token .*\(all logins were ended in the meantime\)$/,
    )
    expect([begun, outcomes()]).to.deep.equal([[], ['success']])
  })

  it('fails if the account has no password, even if the hasher accepts the input', async () => {
    expect(await wordsOf(judge({ account: ADA }))).to.equal('invalid | password NotValid: not-valid')
    expect(hashed).to.deep.equal([['verify', PASSWORD, undefined]])
    expect(outcomes()).to.deep.equal(['failure'])
  })
})
