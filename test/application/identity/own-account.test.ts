import { expect } from 'chai'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { SecondFactor } from '../../../src/domain/identity/second-factor.js'
import type { Presented } from '../../../src/application/identity/presented.js'
import { operations } from '../../../src/application/index.js'
import { withoutHash } from '../../../src/contracts/arrangements.js'
import { ADA, AT, BOSS } from '../../support/logins.js'
import { createAuthenticator } from '../../support/passkey-authenticator.js'
import { addPasskey, passkeyLogin } from '../../support/passkeys.js'
import { permitting } from '../../support/permissions.js'
import { wordsOf, refused } from '../../support/refusal-of.js'
import {
  composeUseCases,
  PASSWORD as LOGIN_PASSWORD,
  presentedBy,
  type Composed,
} from '../../support/use-cases.js'
import { ACTIVE, CALLER, CLIENT, CODE, fakedParts, PASSWORD, PENDING } from './faked-parts.js'

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

const ADDRESS = 'ada@example.com'
const TEN_MINUTES = 600_000
const STALE = ['fresh-login-required', 'passkey', 'Required']
const NO_PASSWORD = ['invalid', 'password', 'Required']

const permissions = permitting({
  user: {
    components: {
      auth: ['passkey', 'confirm', 'second-factor', 'change-email', 'export-account', 'delete-account'],
    },
  },
})

/** Operations that require the password if the account has a password; the last operation ends the login. */
const CHANGES: Readonly<Record<string, (kennel: Composed, presented: Presented) => Promise<unknown>>> = {
  exportAccount: ({ useCases }, presented) => useCases.exportAccount({ presented }),
  requestEmailChange: ({ useCases }, presented) =>
    useCases.requestEmailChange({ email: 'new@example.com', presented }),
  setUpSecondFactor: ({ useCases }, presented) => useCases.setUpSecondFactor({ presented }),
  deleteAccount: ({ useCases }, presented) => useCases.deleteAccount({ presented }),
}

describe('a fresh login', () => {
  for (const mode of ['stateful', 'stateless'] as const) {
    it(`is accepted instead of the password if the account has no password: ${mode}`, async () => {
      const lifetimes = { accessToken: 6 * TEN_MINUTES }
      const kennel = await composeUseCases({ passkeys: true, permissions, mode, lifetimes })
      const { useCases, clock, store } = kennel
      const authenticator = createAuthenticator()
      const account = await withoutHash(store, 'bob')
      await addPasskey(kennel, presentedBy(await useCases.startLogin(account, {})), authenticator)
      let presented = presentedBy(await passkeyLogin(kennel, authenticator))
      for (const [name, change] of Object.entries(CHANGES)) {
        clock.now += TEN_MINUTES + 1000
        expect(await refused(change(kennel, presented)), name).to.deep.equal(STALE)
        const passkey = authenticator.get(await useCases.beginPasskeyConfirmation(presented))
        presented = presentedBy(await useCases.confirmLogin({ passkey, presented }))
        // A fresh login alone does not confirm the login: a new proof of identity is required.
        expect(await refused(useCases.confirmLogin({ presented })), name).to.deep.equal(NO_PASSWORD)
        await change(kennel, presented)
      }
      expect(await store.accounts.find(account.id)).to.equal(undefined)
    })
  }

  it('is not accepted instead of the password if the account has a password', async () => {
    const kennel = await composeUseCases({ passkeys: true, permissions })
    await kennel.account(ADDRESS)
    const presented = presentedBy(await kennel.login(ADDRESS))
    for (const [name, change] of Object.entries(CHANGES))
      expect(await refused(change(kennel, presented)), name).to.deep.equal(NO_PASSWORD)
    await kennel.useCases.deleteAccount({ password: LOGIN_PASSWORD, presented })
  })

  it('is not required if neither passkeys nor conditions are enabled', async () => {
    const kennel = await composeUseCases()
    const account = await withoutHash(kennel.store, 'bob')
    const presented = presentedBy(await kennel.useCases.startLogin(account, {}))
    expect(
      await refused(CHANGES['setUpSecondFactor']?.(kennel, presented) as Promise<unknown>),
    ).to.deep.equal(NO_PASSWORD)
  })
})
