import { expect } from 'chai'
import type { PasskeyView } from '../../../../src/application/identity/passkeys/own-passkeys.js'
import { withoutHash } from '../../../../src/contracts/arrangements.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import { createPostbox, ownTemplates } from '../../../support/mail/postbox.js'
import { addPasskey, passkeyHolder, passkeyLogin } from '../../../support/passkeys.js'
import { codeOf, refused } from '../../../support/refusal-of.js'
import { composeUseCases, presentedBy } from '../../../support/use-cases.js'

const ADA = 'ada@example.com'
const EVE = 'eve@example.com'
const TEN_MINUTES = 600_000

async function start() {
  const kennel = await composeUseCases({ passkeys: true, lifetimes: { accessToken: 2 * TEN_MINUTES } })
  const holder = await passkeyHolder(kennel, ADA)
  const presented = presentedBy(holder.issued)
  const remove = (id: string) => kennel.useCases.removePasskey({ id, presented })
  return { kennel, presented, remove, ...holder }
}

describe('the passkeys of an account', () => {
  it('are listed with the time of their last use, and renamed', async () => {
    const { kennel, presented, authenticator, passkey } = await start()
    expect(await kennel.useCases.listPasskeys(presented)).to.deep.equal([passkey])
    kennel.clock.now += 1000
    await passkeyLogin(kennel, authenticator)
    const { id } = passkey
    const renamed = await kennel.useCases.renamePasskey({ id, name: ' Key ring ', presented })
    expect(renamed).to.deep.equal({ ...passkey, name: 'Key ring', lastUsedAt: kennel.clock.now })
    expect(await kennel.useCases.listPasskeys(presented)).to.deep.equal([renamed])
    const rename = (name: string) => kennel.useCases.renamePasskey({ id, name, presented })
    expect(await refused(rename(''))).to.deep.equal(['invalid', 'name', 'Required'])
    expect(await refused(rename('a\nb'))).to.deep.equal(['invalid', 'name', 'NotValid'])
  })

  it('cannot be renamed or removed by another account, or by an unknown ID', async () => {
    const { kennel, passkey, remove, presented } = await start()
    await kennel.account(EVE)
    const eve = presentedBy(await kennel.login(EVE))
    const { renamePasskey, removePasskey } = kennel.useCases
    for (const id of [passkey.id, 'AAAA', '', 'a\0b', 'A'.repeat(2000)]) {
      expect(await codeOf(renamePasskey({ id, name: 'mine', presented: eve }))).to.equal('not-found')
      expect(await codeOf(removePasskey({ id, presented: eve }))).to.equal('not-found')
    }
    expect(await kennel.useCases.listPasskeys(presented)).to.have.length(1)
    await remove(passkey.id)
    expect(await codeOf(remove(passkey.id))).to.equal('not-found')
  })

  it('are removed only after a recent login, and can then no longer be used to log in', async () => {
    const { kennel, passkey, remove, authenticator } = await start()
    kennel.clock.now += TEN_MINUTES + 1000
    expect(await codeOf(remove(passkey.id))).to.equal('fresh-login-required')
    const presented = presentedBy(await passkeyLogin(kennel, authenticator))
    await kennel.audited()
    await kennel.useCases.removePasskey({ id: passkey.id, presented })
    expect(await kennel.audited()).to.deep.equal(['passkey.remove account:1 account:1 success'])
    expect(await codeOf(passkeyLogin(kennel, authenticator))).to.equal('login-failed')
  })

  it('are removed with a notice to the account', async () => {
    const mail = { mailer: createPostbox().mailer, templates: ownTemplates() }
    const kennel = await composeUseCases({ passkeys: true, mail, notices: ['passkey'] })
    const { passkey, issued } = await passkeyHolder(kennel, ADA)
    await kennel.useCases.removePasskey({ id: passkey.id, presented: presentedBy(issued) })
    const notices = await kennel.store.mailQueue.listTo(ADA as Email)
    expect(notices.map(({ about }) => about)).to.deep.equal(['added', 'removed'])
  })

  it('are never all removed by concurrent calls if the account has no password', async () => {
    const kennel = await composeUseCases({ passkeys: true })
    const { useCases, store } = kennel
    const presented = presentedBy(await useCases.startLogin(await withoutHash(store, 'bob'), {}))
    const added = [await addPasskey(kennel, presented), await addPasskey(kennel, presented)]
    const remove = ({ id }: PasskeyView) => useCases.removePasskey({ id, presented })
    const outcomes = await Promise.allSettled(added.map(remove))
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
    const [left, ...others] = await useCases.listPasskeys(presented)
    expect(others).to.deep.equal([])
    expect(await codeOf(remove(left as PasskeyView))).to.equal('conflict')
  })
})
