import { expect } from 'chai'
import { removeUserFactor } from '../../../src/application/accounts/user-factor.js'
import { addFactor } from '../../../src/contracts/arrangements.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { createPostbox, ownTemplates } from '../../support/mail/postbox.js'
import { factorHolder } from '../../support/factor.js'
import { authorizeByDefault } from '../../support/permissions.js'
import { composeUseCases, START } from '../../support/use-cases.js'

describe('the second factor of another account', () => {
  it('is visible to an operator, and its removal is audited once', async () => {
    const kennel = await composeUseCases()
    const { id, email } = await factorHolder(kennel, 'ada@example.com')
    await kennel.audited()
    const asked = { caller: OPERATOR, email: 'ADA@example.com' }
    expect((await kennel.useCases.readUserFactor(asked)).active).to.equal(true)
    expect(await kennel.useCases.removeUserFactor(asked)).to.equal('removed')
    expect(await kennel.useCases.removeUserFactor(asked)).to.equal('unchanged')
    expect(await kennel.audited()).to.deep.equal([`factor.remove cli:tester account:${id} success`])
    expect((await kennel.login(email)).identity.factor).to.equal(undefined)
  })

  it('is removed without a notice if email is not configured', async () => {
    const { store, account } = await composeUseCases()
    const id = (await account('ada@example.com')) as AccountId
    await addFactor(store, { id }, 'factor', START)
    const remove = removeUserFactor.factory({
      ...store,
      authorize: authorizeByDefault,
      assertWithin: () => undefined,
      audit: { record: () => Promise.resolve() } as never,
    })
    expect(await remove({ caller: OPERATOR, email: 'ada@example.com' })).to.equal('removed')
  })

  it('is removed, and the account is notified if notices are configured', async () => {
    const mail = { mailer: createPostbox().mailer, templates: ownTemplates() }
    const kennel = await composeUseCases({ mail, notices: ['factor'] })
    const { email } = await factorHolder(kennel, 'ada@example.com')
    const mails = async () => await kennel.store.mailQueue.listTo(email as Email)
    const before = (await mails()).length
    await kennel.useCases.removeUserFactor({ caller: OPERATOR, email })
    expect((await mails()).slice(before).map(({ kind, about }) => [kind, about])).to.deep.equal([
      ['factor-changed', 'removed'],
    ])
  })
})
