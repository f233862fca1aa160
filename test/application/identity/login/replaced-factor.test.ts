import { expect } from 'chai'
import { createMemoryStore } from '../../../../src/adapters/memory/index.js'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import { factorHolder, STEP, type FactorHolder } from '../../../support/factor.js'
import { oneTimeCode } from '../../../support/one-time-code.js'
import { codeOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../../support/use-cases.js'

describe('a login while the account replaces its second factor', () => {
  const email = 'ada@example.com'
  let kennel: Composed
  let holder: FactorHolder
  let around: (take: () => Promise<'taken' | 'spent'>) => Promise<'taken' | 'spent'>
  beforeEach(async () => {
    around = (take) => take()
    const store = createMemoryStore()
    const { secondFactors } = store
    const take = secondFactors.takeStep.bind(secondFactors)
    kennel = await composeUseCases({
      store: {
        ...store,
        secondFactors: { ...secondFactors, takeStep: (...args) => around(() => take(...args)) },
      },
      factorRoles: new Set(['admin' as never]),
    })
    holder = await factorHolder(kennel, email, ['admin'])
    kennel.clock.now += STEP
  })

  const logIn = async (code: string) =>
    await kennel.useCases.login({ email, password: PASSWORD, code, presented: {} })

  async function replaceFactor(): Promise<void> {
    const { useCases, clock } = kennel
    await useCases.removeUserFactor({ caller: OPERATOR, email })
    const presented = presentedBy(await kennel.login(email))
    const { secret } = await useCases.setUpSecondFactor({ password: PASSWORD, presented })
    await useCases.confirmSecondFactor({ code: oneTimeCode(secret, clock.now), presented })
  }

  it('gets no role that requires the new factor if the code was used before the replacement', async () => {
    around = async (take) => {
      const taken = await take()
      await replaceFactor()
      return taken
    }
    const login = await logIn(holder.code())
    expect((await kennel.useCases.getIdentity(presentedBy(login))).roles).to.deep.equal([])
  })

  it('is refused if the code would be used for the new factor', async () => {
    around = async (take) => {
      await replaceFactor()
      return await take()
    }
    expect(await codeOf(logIn(holder.code(1)))).to.equal('login-failed')
  })
})
