import { operations, type PartsOf } from '../../../src/application/index.js'
import type { Account, AccountId } from '../../../src/domain/identity/account.js'
import type { Refusal } from '../../../src/domain/refusal.js'
import type { Accounts } from '../../../src/ports/accounts.js'
import { ADA } from '../../support/logins.js'
import {
  CALLER,
  CLIENT,
  CODE,
  fakedFactorParts,
  PASSWORD as RIGHT,
} from './second-factor/faked-factor-parts.js'
import { expect } from 'chai'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../../src/domain/access/permissions.js'
import { factorHolder } from '../../support/factor.js'
import { refusalOf, refused, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../support/use-cases.js'

const PERMITTED: PermissionRules = {
  roles: {
    ...DEFAULT_PERMISSIONS.roles,
    user: { components: { auth: ['second-factor', 'delete-account'] } },
  },
}

describe('deleting the own account with a second factor', () => {
  it('needs the password and a code that was not used', async () => {
    const kennel = await composeUseCases({ permissions: PERMITTED })
    const { id, issued, code } = await factorHolder(kennel, 'ada@example.com')
    const presented = presentedBy(issued)
    const remove = (password: unknown, given?: unknown) =>
      kennel.useCases.deleteAccount({ password, code: given, presented })
    expect(await refused(remove('wrong', code(1)))).to.deep.equal(['invalid', 'password', 'NotValid'])
    for (const none of [undefined, ''])
      expect(await refused(remove(PASSWORD, none))).to.deep.equal(['invalid', 'code', 'Required'])
    for (const bad of ['000000', 'no code', code(0)])
      expect(await refused(remove(PASSWORD, bad)), bad).to.deep.equal(['invalid', 'code', 'NotValid'])
    expect((await kennel.store.accounts.find(id))?.secondFactor).to.equal(true)
    await remove(PASSWORD, code(1))
    expect(await kennel.store.accounts.find(id)).to.equal(undefined)
    expect(await kennel.store.secondFactors.find(id)).to.equal(undefined)
  })

  it('accepts a recovery code', async () => {
    const kennel = await composeUseCases({ permissions: PERMITTED })
    const { id, issued, recoveryCodes } = await factorHolder(kennel, 'ada@example.com')
    await kennel.useCases.deleteAccount({
      password: PASSWORD,
      code: recoveryCodes[3],
      presented: presentedBy(issued),
    })
    expect(await kennel.store.accounts.find(id)).to.equal(undefined)
  })
})

describe('deleting the own account', () => {
  it('counts wrong passwords as logins, and computes no hash beyond the limit', async () => {
    let hashes = 0
    const kennel = await composeUseCases({
      permissions: PERMITTED,
      loginLimit: { count: 3, window: 60_000 },
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: (...given) => {
          hashes += 1
          return hasher.verify(...given)
        },
      }),
    })
    const email = 'ada@example.com'
    const client = { address: '192.0.2.1' }
    const id = (await kennel.account(email)) as AccountId
    const presented = { ...presentedBy(await kennel.login(email)), client }
    const remove = (password: string) => kennel.useCases.deleteAccount({ password, presented })
    hashes = 0
    const guesses = await Promise.all(
      Array.from({ length: 10 }, (_, guess) => refusalOf(remove(`wrong ${guess}`))),
    )
    expect(guesses.filter(({ code }) => code === 'too-many-attempts')).to.have.length(7)
    expect(hashes).to.equal(3)
    expect((await refusalOf(remove(PASSWORD))).code).to.equal('too-many-attempts')
    const login = kennel.useCases.login({ email, password: PASSWORD, presented: { client } })
    expect((await refusalOf(login)).code).to.equal('too-many-attempts')
    kennel.clock.now += 60_000
    await remove(PASSWORD)
    expect(await kennel.store.accounts.find(id)).to.equal(undefined)
  })

  it('deletes the account once and is audited once for 8 concurrent calls', async () => {
    const kennel = await composeUseCases({ permissions: PERMITTED })
    await kennel.account('ada@example.com')
    const presented = presentedBy(await kennel.login('ada@example.com'))
    await kennel.audited()
    const calls = Array.from({ length: 8 }, () =>
      kennel.useCases.deleteAccount({ password: PASSWORD, presented }).then(
        () => 'done',
        (error: unknown) => (error as Refusal).code,
      ),
    )
    expect((await Promise.all(calls)).toSorted()).to.deep.equal([
      'done',
      ...Array<string>(7).fill('invalid-token'),
    ])
    expect(await kennel.audited()).to.deep.equal(['account.delete account:1 account:1 success'])
  })
})

describe('deleting the own account, with faked parts', () => {
  const remove = (
    { account = ADA, fields = {} }: { account?: Account; fields?: object } = {},
    change: Partial<PartsOf<'deleteAccount'>> = {},
  ) => {
    const { parts, entries } = fakedFactorParts(undefined)
    const accounts = { find: async () => account, remove: async () => 'removed' } as unknown as Accounts
    const audit = { ...parts.audit, flush: () => Promise.resolve() }
    const removing = operations.deleteAccount.factory({ ...parts, accounts, audit, ...change })
    return { entries, removed: removing({ password: RIGHT, presented: { client: CLIENT }, ...fields }) }
  }
  const failure = {
    event: 'account.delete',
    caller: CALLER,
    subject: ADA.id,
    outcome: 'failure',
    client: CLIENT,
  }
  const WITH_FACTOR: Account = { ...ADA, secondFactor: true }

  it('is audited without the client, which is not kept', async () => {
    const { entries, removed } = remove()
    await removed
    expect(entries).to.deep.equal([{ event: 'account.delete', caller: CALLER, subject: ADA.id }])
  })

  it('says which field is wrong, and audits a wrong password', async () => {
    const { entries, removed } = remove({ fields: { password: 'wrong' } })
    expect(await wordsOf(removed)).to.equal('invalid | password NotValid: not-valid')
    expect(entries).to.deep.equal([failure])
  })

  it('is refused if the account has a second factor and the code cannot be verified', async () => {
    for (const change of [{}, { proveFactor: async () => false }]) {
      const { entries, removed } = remove({ account: WITH_FACTOR, fields: { code: CODE } }, change)
      expect(await wordsOf(removed)).to.equal('invalid | code NotValid: not-valid')
      expect(entries).to.deep.equal([failure])
    }
  })

  it('is refused if another call has deleted the account', async () => {
    const accounts = { find: async () => ADA, remove: async () => 'unknown' } as unknown as Accounts
    expect(await wordsOf(remove({}, { accounts }).removed)).to.match(
      /^invalid-token .*\(the account is gone, disabled or in another epoch\)$/,
    )
  })
})
