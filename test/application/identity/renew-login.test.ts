import { expect } from 'chai'
import type { Issued } from '../../../src/application/identity/issue.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { permitting } from '../../support/permissions.js'
import { codeOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../support/use-cases.js'

const ADA = 'ada@example.com'
const permissions = permitting({
  user: { components: { auth: ['confirm', { 'export-account': { fresh: 60_000 } }] } },
})

describe('new credentials for a confirmed session', () => {
  it('returns the same new pair to concurrent calls with the same credentials', async () => {
    const kennel = await composeUseCases({ mode: 'stateful', permissions })
    await kennel.account(ADA)
    const presented = presentedBy(await kennel.login(ADA))
    const call = () => kennel.useCases.confirmLogin({ password: PASSWORD, presented })
    const all = await Promise.all(Array.from({ length: 16 }, call))
    expect(new Set(all.map(({ accessToken }) => accessToken)).size).to.equal(1)
    expect(new Set(all.map(({ sessionKey }) => sessionKey)).size).to.equal(1)
  })

  it('issues a new pair for a confirmed login, even if the clock of another process was ahead', async () => {
    const kennel = await composeUseCases({ mode: 'stateful', permissions })
    await kennel.account(ADA)
    const confirm = (issued: Issued) =>
      kennel.useCases.confirmLogin({ password: PASSWORD, presented: presentedBy(issued) })
    const login = await kennel.login(ADA)
    kennel.clock.now += 20_000
    const ahead = await confirm(login)
    kennel.clock.now -= 20_000
    expect((await confirm(ahead)).sessionKey).to.not.equal(ahead.sessionKey)
  })

  it('is refused if the password is changed while it is checked', async () => {
    let onVerified = async () => {}
    const kennel = await composeUseCases({
      mode: 'stateful',
      permissions,
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: async (...args) => {
          const isRight = await hasher.verify(...args)
          await onVerified()
          return isRight
        },
      }),
    })
    await kennel.account(ADA)
    const presented = presentedBy(await kennel.login(ADA))
    onVerified = async () => {
      onVerified = async () => {}
      const account = await kennel.store.accounts.findByEmail(ADA as Email)
      if (account) await kennel.store.accounts.setPassword(account.id, account.passwordHash as never)
    }
    expect(await codeOf(kennel.useCases.confirmLogin({ password: PASSWORD, presented }))).to.equal(
      'invalid-token',
    )
  })
})

describe('new credentials for a confirmed login in stateless mode', () => {
  it('replace the previous tokens, and only one of several concurrent calls gets the new tokens', async () => {
    const kennel = await composeUseCases({ mode: 'stateless-revocable', permissions })
    await kennel.account(ADA)
    const { accessToken, refreshToken } = await kennel.login(ADA)
    const presented = { accessToken }
    const confirm = () => kennel.useCases.confirmLogin({ password: PASSWORD, presented })
    const answers = await Promise.allSettled(Array.from({ length: 16 }, confirm))
    expect(answers.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(1)
    expect(await codeOf(kennel.useCases.getIdentity(presented))).to.equal('invalid-token')
    expect(await codeOf(kennel.useCases.refresh({ refreshToken, presented: {} }))).to.equal('invalid-token')
  })
})
