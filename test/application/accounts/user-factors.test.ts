import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { removeUserFactor, removeUserPasskey } from '../../../src/application/accounts/user-factors.js'
import { addFactor, addPasskeys, withoutHash } from '../../../src/contracts/arrangements.js'
import { factorHolder } from '../../support/factor.js'
import { createPostbox, ownTemplates } from '../../support/mail/postbox.js'
import { authorizeByDefault } from '../../support/permissions.js'
import { refused } from '../../support/refusal-of.js'
import { composeUseCases, START, type UseCaseOptions } from '../../support/use-cases.js'

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

const EMAIL = 'ada@example.com'

describe('the passkeys of another account', () => {
  async function withPasskeys(options: UseCaseOptions = {}) {
    const kennel = await composeUseCases(options)
    const id = (await kennel.account(EMAIL)) as AccountId
    const account = (await kennel.store.accounts.find(id)) ?? expect.fail('the account exists')
    const [phone, key] = await addPasskeys(kennel.store, account, 2)
    if (!phone || !key) throw new Error('two passkeys are added')
    await kennel.audited()
    const remove = async (passkey: string, email = EMAIL) =>
      await kennel.useCases.removeUserPasskey({ caller: OPERATOR, email, id: passkey })
    return { ...kennel, id, account, phone, key, remove }
  }

  it('are listed for an operator without their keys and counters, even if passkeys are off', async () => {
    const { useCases, phone, key } = await withPasskeys()
    const listed = await useCases.listUserPasskeys({ caller: OPERATOR, email: 'ADA@example.com' })
    const views = [phone, key].map(({ accountId: _, publicKey: __, counter: ___, ...view }) => view)
    expect(listed).to.deep.equal(views)
  })

  it('are removed only once and only from the named account, and the removal is audited', async () => {
    const { store, account, id, phone, key, remove, audited, useCases } = await withPasskeys()
    const bob = await withoutHash(store, 'bob')
    const [other] = await addPasskeys(store, bob, 1)
    await remove(phone.id)
    expect(await store.passkeys.listOf(id)).to.deep.equal([key])
    for (const unknown of [phone.id, other?.id ?? '', 'x', '', 'no id'])
      expect(await refused(remove(unknown))).to.deep.equal(['not-found', '', 'NotFound'])
    const unknownUser = useCases.removeUserPasskey({ caller: OPERATOR, email: 'eve@example.com', id: key.id })
    expect(await refused(unknownUser)).to.deep.equal(['not-found', 'email', 'NotFound'])
    expect(await audited()).to.deep.equal([`passkey.remove cli:tester account:${account.id} success`])
  })

  it('are kept if they are the only way to log in', async () => {
    const { store, remove, audited } = await withPasskeys()
    const [only] = await addPasskeys(store, await withoutHash(store, 'bob'), 1)
    expect(await refused(remove(only?.id ?? '', 'bob@example.org'))).to.deep.equal([
      'conflict',
      '',
      'Conflict',
    ])
    expect(await audited()).to.deep.equal([])
  })

  it('are removed, and the account is notified if notices are configured', async () => {
    const mail = { mailer: createPostbox().mailer, templates: ownTemplates() }
    const { store, phone, remove } = await withPasskeys({ mail, notices: ['passkey'] })
    await remove(phone.id)
    const mails = await store.mailQueue.listTo(EMAIL as Email)
    expect(mails.map(({ kind, about }) => [kind, about])).to.deep.equal([['passkey-changed', 'removed']])
  })

  it('are removed without a notice if email is not configured', async () => {
    const { store, id, key } = await withPasskeys()
    const remove = removeUserPasskey.factory({
      ...store,
      authorize: authorizeByDefault,
      assertWithin: () => undefined,
      audit: { record: () => Promise.resolve() } as never,
    })
    await remove({ caller: OPERATOR, email: EMAIL, id: key.id })
    expect(await store.passkeys.listOf(id)).to.have.lengthOf(1)
  })
})
