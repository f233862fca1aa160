import { expect } from 'chai'
import { RECORD_KINDS } from '../../../src/ports/copyable-records.js'
import type { Store } from '../../../src/ports/store.js'
import { createBrowser, freshEmail } from '../../support/http/browser.js'
import { NEW_PASSWORD, RESET_PASSWORD, resettingsOfTests } from '../../support/http/resetting.js'
import { collectingLog } from '../../support/log-collector.js'
import { createPostbox, SENT, tokenIn } from '../../support/mail/postbox.js'
import { KEPT, storesOfTests } from '../../support/stores.js'

/** Returns every record that a copy of the store would contain. */
async function recordsOf({ copyableRecords: records }: Store): Promise<string> {
  if (!records) throw new Error('this store keeps nothing')
  const pages = await Promise.all(RECORD_KINDS.map((kind) => records.page(kind, undefined, 10_000)))
  return JSON.stringify(pages)
}

describe('the secrets of a password reset', () => {
  const serve = resettingsOfTests()
  const opened = storesOfTests()

  // Each test service also searches its log, its audit records and its refusals for every token that it makes.
  it('appear only in the email, never in the store or in a response', async () => {
    const { store, contents } = await opened(KEPT.open)
    const collected = collectingLog()
    const postbox = createPostbox()
    const { service, ask, consume, sendMails } = await serve({ store, postbox, log: collected.log })
    const email = freshEmail()
    await service.account(email)
    const stored: string[] = []
    const look = async () => stored.push(await contents(), await recordsOf(store))

    await ask(email)
    await look()
    postbox.answer(() => ({ kind: 'unreachable', detail: 'no route' }))
    await sendMails()
    postbox.answer(() => ({ kind: 'deferred', detail: 'mailbox full' }))
    await sendMails()
    await look()
    postbox.answer(() => SENT)
    service.clock.now += 3_600_000
    await sendMails()
    const tokens = postbox.tried.map(tokenIn)
    const token = tokens.at(-1) ?? ''
    expect(new Set(tokens).size).to.equal(3)
    expect((await recordsOf(store)).includes(service.useCases.proofSecrets.digest(token))).to.equal(true)

    const json = { email, resetToken: token, password: NEW_PASSWORD }
    const mistakes = [
      await consume(email, `${token}x`),
      await consume(freshEmail(), token),
      await service.client.call('POST', RESET_PASSWORD, {
        json: { ...json, resetToken: { [token]: token } },
      }),
      await service.client.call('GET', `${RESET_PASSWORD}?resetToken=${token}`),
      await service.client.call('POST', `${RESET_PASSWORD}/${token}`, { json }),
      await createBrowser(service, email).login(token),
    ]
    for (const { status } of mistakes) expect(status).to.be.within(400, 499)
    const done = await consume(email, token)
    expect(done.status).to.equal(200)
    await look()
    for (const secret of [...tokens, NEW_PASSWORD]) {
      for (const text of stored) expect(text.includes(secret), 'in the store').to.equal(false)
      for (const { text, rawHeaders } of [...mistakes, done])
        expect((text + rawHeaders.join()).includes(secret)).to.equal(false)
    }
    for (const { event, fields } of collected.lines)
      expect(JSON.stringify(fields).includes(email), event).to.equal(false)
  })
})
