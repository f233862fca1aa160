import { operations } from '../../../src/application/index.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { SecondFactor } from '../../../src/domain/identity/second-factor.js'
import { ACTOR, ADA, AT, BOSS } from '../../support/logins.js'
import { expect } from 'chai'
import { ownLogin, passwordCheck } from '../../../src/application/identity/own-account.js'
import type { Identity } from '../../../src/domain/access/caller.js'
import { refuse } from '../../../src/domain/refusal.js'
import { codeOf, wordsOf } from '../../support/refusal-of.js'
import { ACTIVE, CALLER, CLIENT, CODE, fakedParts, PASSWORD, PENDING } from './faked-parts.js'

describe("the login for an operation on one's own account", () => {
  const form = { text: 'a form' }
  const login = (identity: Identity, permitted = true) =>
    ownLogin(
      { authenticate: async () => identity },
      { presented: { client: CLIENT } },
      {
        assertPermitted: () => {
          if (!permitted) throw refuse('forbidden', 'Forbidden', 'not permitted')
        },
        read: () => form,
      },
    )

  it('must have the permission and must not be impersonated', async () => {
    expect(await login(CALLER)).to.deep.equal({ ...form, caller: CALLER, client: CLIENT })
    const { sessionId: _, ...basic } = CALLER
    expect(await codeOf(login(basic))).to.equal('invalid-token')
    expect(await codeOf(login({ ...CALLER, actor: ACTOR }))).to.equal('forbidden')
    expect(await codeOf(login(CALLER, false))).to.equal('forbidden')
  })
})

type Row = {
  readonly event: string
  readonly factor?: SecondFactor
  readonly wrong?: string
  readonly notice?: readonly [topic: string, about?: string]
}

/** Operations that require the password or a code of the caller's own account. */
const OPERATIONS = {
  changePassword: { event: 'password.change', notice: ['own-password'] },
  deleteAccount: { event: 'account.delete' },
  confirmLogin: { event: 'login.confirm' },
  exportAccount: { event: 'account.export' },
  setUpSecondFactor: { event: 'factor.set' },
  confirmSecondFactor: { event: 'factor.set', factor: PENDING, wrong: 'code', notice: ['factor', 'added'] },
  removeSecondFactor: { event: 'factor.remove', factor: ACTIVE, notice: ['factor', 'removed'] },
  renewRecoveryCodes: { event: 'factor.renew', factor: ACTIVE, notice: ['factor', 'renewed'] },
} as const satisfies Readonly<Record<string, Row>>

for (const [operation, row] of Object.entries(OPERATIONS)) {
  const { event, factor, wrong = 'password', notice }: Row = row
  describe(`the operation ${operation}, with fakes`, () => {
    const ACCOUNT = { ...ADA, passwordHash: 'hash' as PasswordHash }
    const ask = (fields: object = {}, change: object = {}) => {
      const faked = fakedParts(factor)
      const parts = {
        ...faked.parts,
        accounts: {
          find: async () => ACCOUNT,
          changePassword: async () => ADA.epoch + 1,
          remove: async () => 'removed',
        },
        passwordPolicy: async (value: string) => ({ ok: true, value }),
        beginLogin: faked.parts.replaceLogin,
        renewLogin: faked.parts.replaceLogin,
        proveFactor: async (_owner: unknown, code: string) => (code === CODE ? AT : undefined),
        ...change,
      }
      const call = operations[operation as keyof typeof OPERATIONS].factory(parts as never) as Call
      const form = { password: PASSWORD, newPassword: 'another', code: CODE, ...fields }
      return { ...faked, answer: call({ ...form, presented: { client: CLIENT } }) }
    }
    type Call = (input: object) => Promise<unknown>
    const entry = { event, caller: CALLER, subject: ADA.id }

    it('is audited, and a notice is sent to the account', async () => {
      const { answer, entries, notices } = ask()
      await answer
      const success = {
        // No data about the client of a deleted account is kept.
        ...(operation !== 'deleteAccount' && { client: CLIENT }),
        outcome: 'success',
      }
      const audited = operation === 'setUpSecondFactor' ? [] : [{ ...entry, ...success }]
      expect(entries.map((one) => ({ outcome: 'success', ...one }))).to.deep.equal(audited)
      const [topic, about] = notice ?? []
      const mail = { email: ADA.email, client: CLIENT, ...(about !== undefined && { about }) }
      expect(notices).to.deep.equal(topic === undefined ? [] : [[topic, mail]])
      await ask({}, { notices: undefined }).answer
    })

    it(`is refused if the ${wrong} is missing or wrong, and a wrong ${wrong} is audited`, async () => {
      const missing = ask({ [wrong]: '' })
      expect(await wordsOf(missing.answer)).to.equal(`invalid | ${wrong} Required: required`)
      expect(missing.entries).to.deep.equal([])
      const { answer, entries, notices } = ask({ [wrong]: '654321' })
      expect(await wordsOf(answer)).to.equal(`invalid | ${wrong} NotValid: not-valid`)
      expect(entries).to.deep.equal([{ ...entry, outcome: 'failure', client: CLIENT }])
      expect(notices).to.deep.equal([])
    })

    it('is rejected if the account has changed since authentication, and consumes no code', async () => {
      for (const account of [
        { ...ACCOUNT, disabledAt: AT },
        { ...ACCOUNT, epoch: BOSS.epoch },
      ]) {
        const unused = { accounts: { find: async () => account }, proveFactor: () => expect.fail() }
        const { answer, entries } = ask({}, unused)
        expect(await wordsOf(answer)).to.match(
          /^invalid-token .*\(the account was removed or disabled, or its epoch has changed\)$/,
        )
        expect(entries).to.deep.equal([])
      }
    })
  })
}

describe('the account of a login', () => {
  it('counts password attempts by email and client', async () => {
    const { parts, attempts } = fakedParts()
    const throttled = { ...parts, throttle: parts.codeThrottle }
    for (const password of [PASSWORD, 'wrong']) {
      const check = await passwordCheck(throttled, { caller: CALLER, client: CLIENT }, password)
      expect(check.ok && (await check.value())).to.equal(password === PASSWORD)
    }
    expect(attempts).to.deep.equal([
      [ADA.email, CLIENT],
      [ADA.email, CLIENT],
    ])
  })
})
