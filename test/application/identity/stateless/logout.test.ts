import { expect } from 'chai'
import { TOKEN_LEEWAY } from '../../../../src/application/identity/token-signer.js'
import { permitting } from '../../../support/permissions.js'
import { codeOf } from '../../../support/refusal-of.js'
import { composeUseCases, START, type Composed } from '../../../support/use-cases.js'

describe('logout in stateless mode', () => {
  let kennel: Composed
  let accessToken: string

  beforeEach(async () => {
    kennel = await composeUseCases({ mode: 'stateless-revocable' })
    await kennel.account('ada@example.com')
    ;({ accessToken } = await kennel.login('ada@example.com'))
    await kennel.audited()
  })

  it('revokes the login, and does nothing when repeated', async () => {
    for (let call = 0; call < 2; call += 1) await kennel.useCases.logout({ accessToken })
    expect(await codeOf(kennel.useCases.getIdentity({ accessToken }))).to.equal('invalid-token')
    expect(await kennel.audited()).to.deep.equal(['logout account:1 account:1 success'])
  })

  it('accepts an expired token, and does nothing once no token of the login is valid', async () => {
    const end = START - (START % 1000) + 2_592_000_000 + TOKEN_LEEWAY
    for (const [at, records] of [
      [end, 0],
      [end - 1, 1],
    ] as const) {
      kennel.clock.now = at
      await kennel.useCases.logout({ accessToken })
      expect(await kennel.audited()).to.have.lengthOf(records)
    }
  })

  it('does nothing without a token, and rejects an invalid token', async () => {
    await kennel.useCases.logout({})
    expect(await codeOf(kennel.useCases.logout({ accessToken: 'no token' }))).to.equal('invalid-token')
    expect(await kennel.audited()).to.deep.equal([])
  })

  it('refuses a caller without the permission', async () => {
    const permissions = permitting({ everyone: { components: { auth: ['login'] } } })
    const { useCases } = await composeUseCases({ mode: 'stateless-revocable', permissions })
    expect(await codeOf(useCases.logout({}))).to.equal('unauthenticated')
  })

  it('writes only an audit record if revocations are disabled', async () => {
    kennel = await composeUseCases({ mode: 'stateless' })
    await kennel.account('ada@example.com')
    ;({ accessToken } = await kennel.login('ada@example.com'))
    await kennel.audited()
    await kennel.useCases.logout({ accessToken })
    expect(await kennel.audited()).to.deep.equal(['logout account:1 account:1 success'])
    expect((await kennel.useCases.getIdentity({ accessToken })).accountId).to.equal(1)
  })
})
