import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { guarded, logInWith, REMOVE, setUp, STEP } from '../../support/http/factor.js'
import { newcomer } from '../../support/http/browser.js'
import { PASSWORD, startService, START, type TestService } from '../../support/http/service.js'

describe('what is audited of a second factor', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  beforeEach(() => {
    service.clock.now = START
  })
  after(() => service.close())

  async function auditedOf(id: number): Promise<readonly string[]> {
    const records = await service.store.audit.page({ accountId: id as AccountId, limit: 100 })
    return records
      .map(({ event, actor, outcome }) => `${event} ${actor.replace(`account:${id}`, 'self')} ${outcome}`)
      .filter((line) => !line.startsWith('user.create'))
  }

  it('is its beginning, each login, what failed and what was wrong, and its end', async () => {
    const account = await guarded(service)
    service.clock.now += 10 * STEP
    await logInWith(service, account, undefined)
    await logInWith(service, account, account.code(5))
    await logInWith(service, account, account.code())
    await logInWith(service, account, account.recoveryCodes[0])
    const remove = (password: string, code: string) =>
      account.send('POST', REMOVE, { json: { password, code } })
    await remove('wrong', account.code(1))
    await remove(PASSWORD, account.code(1))
    expect(await auditedOf(account.id)).to.deep.equal([
      'login self success',
      'factor.set self success',
      'login anonymous failure',
      'login self success',
      'factor.recovery self success',
      'login self success',
      'factor.remove self failure',
      'factor.remove self success',
    ])
  })

  it('is a set-up with a wrong password', async () => {
    const browser = await newcomer(service)
    await setUp(browser, 'wrong')
    expect((await auditedOf(browser.id)).at(-1)).to.equal('factor.set self failure')
  })

  it('is the operator who takes it away, once', async () => {
    const { id, email } = await guarded(service)
    const { removeUserFactor, readUserFactor } = service.useCases
    expect((await readUserFactor({ caller: OPERATOR, email })).active).to.equal(true)
    expect(await removeUserFactor({ caller: OPERATOR, email })).to.equal('removed')
    expect(await removeUserFactor({ caller: OPERATOR, email })).to.equal('unchanged')
    expect((await readUserFactor({ caller: OPERATOR, email })).active).to.equal(false)
    const lines = (await auditedOf(id)).filter((line) => line.startsWith('factor.remove'))
    expect(lines).to.deep.equal(['factor.remove cli:tester success'])
  })
})
