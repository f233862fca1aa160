import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { createPostbox, ownTemplates } from '../../support/mail/postbox.js'
import { factorHolder } from '../../support/factor.js'
import { composeUseCases } from '../../support/use-cases.js'

describe('the second factor of another account', () => {
  it('is shown to an operator, and removed once, which is audited', async () => {
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

  it('is removed with a notice to the account, if that is configured', async () => {
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
