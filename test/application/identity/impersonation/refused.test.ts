import { expect } from 'chai'
import { refusalOf, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases } from '../../../support/use-cases.js'

describe('impersonation where no login can be revoked', () => {
  it('is refused to everybody who is logged in, and asks the others who they are', async () => {
    const { useCases, account, login, audited } = await composeUseCases({ mode: 'stateless' })
    await account('boss@example.com', ['admin'])
    await account('ada@example.com')
    const { accessToken } = await login('boss@example.com')
    await audited()
    for (const [presented, code] of [
      [{ accessToken }, 'forbidden'],
      [{}, 'unauthenticated'],
      [{ accessToken: 'no token' }, 'invalid-token'],
    ] as const) {
      expect((await refusalOf(useCases.loginAs({ userId: 2, presented }))).code).to.equal(code)
      expect((await refusalOf(useCases.logoutAs({ presented }))).code).to.equal(code)
    }
    expect(await wordsOf(useCases.logoutAs({ presented: { accessToken } }))).to.equal(
      'forbidden | Forbidden: Acting as somebody else is not possible here. | ' +
        '(stateless mode without STATELESS_REVOCATION=store)',
    )
    expect(await audited()).to.deep.equal([])
  })
})
