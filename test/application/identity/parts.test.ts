import { expect } from 'chai'
import { codeOf, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, presentedBy } from '../../support/use-cases.js'

const NO_SESSIONS = 'This service stores no sessions. | (stateless mode)'
const CANNOT_ACT =
  'Acting as another account is not possible here. | (stateless mode without STATELESS_REVOCATION=store)'

describe('an operation that stateless mode does not support', () => {
  for (const [mode, name, words] of [
    ['stateless', 'listOwnSessions', NO_SESSIONS],
    ['stateless', 'endOwnSessions', NO_SESSIONS],
    ['stateless', 'loginAs', CANNOT_ACT],
    ['stateless', 'logoutAs', CANNOT_ACT],
    ['stateless-revocable', 'listOwnSessions', NO_SESSIONS],
    ['stateless-revocable', 'endOwnSessions', NO_SESSIONS],
  ] as const)
    it(`rejects every login as forbidden, and checks invalid credentials as usual: ${name}, ${mode}`, async () => {
      const { useCases, account, login, audited } = await composeUseCases({ mode })
      await account('boss@example.com', ['admin'])
      const presented = presentedBy(await login('boss@example.com'))
      await audited()
      const call = useCases[name] as (input: object) => Promise<unknown>
      expect(await wordsOf(call({ presented, userId: 2, others: true }))).to.equal(
        `forbidden | Forbidden: ${words}`,
      )
      expect(await codeOf(call({ presented: {} }))).to.equal('unauthenticated')
      const forged = call({ presented: { accessToken: 'no token' } })
      expect(await codeOf(forged)).to.equal('invalid-token')
      expect(await audited()).to.deep.equal([])
    })
})
