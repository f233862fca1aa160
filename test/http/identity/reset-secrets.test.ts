import { expect } from 'chai'
import { RECORD_KINDS } from '../../../src/ports/copyable-records.js'
import type { Store } from '../../../src/ports/store.js'
import { createPostbox, SENT, tokenIn } from '../../support/mail/postbox.js'
import type { Reply } from '../../support/http/client.js'
import { createBrowser, freshEmail } from '../../support/http/browser.js'
import { collectingLog } from '../../support/log-collector.js'
import {
  NEW_PASSWORD,
  RESET_PASSWORD,
  resettingsOfTests,
  type Resetting,
} from '../../support/http/resetting.js'
import { KEPT, storesOfTests } from '../../support/stores.js'

/** Every record that a copy of the store would contain. */
async function recordsOf({ copyableRecords: records }: Store): Promise<string> {
  if (!records) throw new Error('this store keeps nothing')
  const pages = await Promise.all(RECORD_KINDS.map((kind) => records.page(kind, undefined, 10_000)))
  return JSON.stringify(pages)
}

describe('the secrets of a reset', () => {
  const serve = resettingsOfTests()
  const opened = storesOfTests()

  /** Sends a reset token in every wrong way, and returns the replies. */
  async function everyMistake(
    { service, consume }: Resetting,
    email: string,
    token: string,
  ): Promise<Reply[]> {
    const { client } = service
    const post = (call: object, query = '') => client.call('POST', `${RESET_PASSWORD}${query}`, call)
    const json = { email, resetToken: token, password: NEW_PASSWORD }
    return [
      await consume(email, token, 'short'),
      await consume(email, `${token}x`),
      await consume(freshEmail(), token),
      await consume(token, token),
      await post({ json: { ...json, password: [token] } }),
      await post({ json: { ...json, resetToken: { [token]: token } } }),
      await post({ json: { ...json, email: undefined } }),
      await post({ json, headers: { Origin: 'https://evil.example' } }),
      await post({ json, headers: { 'Content-Type': 'text/plain' } }),
      await post({ body: `{"resetToken":"${token}"`, headers: { 'Content-Type': 'application/json' } }),
      await post({ json: { email: 'nobody' } }, `?resetToken=${token}`),
      await client.call('GET', `${RESET_PASSWORD}?resetToken=${token}`),
      await client.call('POST', `${RESET_PASSWORD}/${token}`, { json }),
      await createBrowser(service, email).login(token),
    ]
  }

  it('are in no log line, reply, audit record or store, only in the mail', async () => {
    const { store, contents } = await opened(KEPT.open)
    const collected = collectingLog()
    const postbox = createPostbox()
    const resets = await serve({ store, postbox, log: collected.log })
    const email = freshEmail()
    await resets.service.account(email)
    const replies: Reply[] = []
    const stored: string[] = []
    const look = async () => stored.push(await contents(), await recordsOf(store))

    postbox.answer(() => ({ kind: 'unreachable', detail: 'no route' }))
    replies.push(await resets.ask(email))
    await look()
    await resets.sendMails()
    postbox.answer(() => ({ kind: 'deferred', detail: 'mailbox full' }))
    await resets.sendMails()
    await look()
    postbox.answer(() => SENT)
    resets.service.clock.now += 3_600_000
    await resets.sendMails()
    const tokens = postbox.tried.map(tokenIn)
    const token = tokens.at(-1) ?? ''
    await look()
    replies.push(...(await everyMistake(resets, email, token)))
    for (const { status } of replies.slice(1)) expect(status).to.be.within(400, 499)
    expect((await recordsOf(store)).includes(digestOf(resets, token)), 'the digest is what is kept').to.equal(
      true,
    )
    replies.push(await resets.consume(email, token), await resets.consume(email, token))
    const browser = createBrowser(resets.service, email)
    replies.push(await browser.login(NEW_PASSWORD), await browser.getIdentity())
    postbox.answer(() => ({ kind: 'refused', detail: 'no such mailbox' }))
    await resets.sendMails()
    await look()

    expect(replies.slice(-4).map(({ status }) => status)).to.deep.equal([200, 400, 200, 200])
    expect(new Set(tokens).size).to.equal(3)
    for (const secret of [...tokens, NEW_PASSWORD]) {
      expect(secret.length).to.be.greaterThan(15)
      expect(collected.text().includes(secret), 'in the log').to.equal(false)
      for (const text of stored) expect(text.includes(secret), 'in the store').to.equal(false)
      for (const { text, rawHeaders, status } of replies)
        expect((text + rawHeaders.join()).includes(secret), `in a ${status}`).to.equal(false)
    }
    expect(collected.lines.map(({ event }) => event)).to.include.members([
      'no mail can leave',
      'a mail was given up',
    ])
    for (const { event, fields } of collected.lines)
      expect(JSON.stringify(fields).includes(email), event).to.equal(false)
  })

  it('are in no queue: a queued mail has only the email and the client context', async () => {
    const { store } = await opened(KEPT.open)
    const resets = await serve({ store })
    const email = freshEmail()
    await resets.service.account(email)
    const reply = await resets.ask(email)
    const [job, ...others] = (await store.copyableRecords?.page('mailJob', undefined, 10)) ?? []
    expect(others).to.deep.equal([])
    const { id: _, ...rest } = job ?? { id: '' }
    expect(rest).to.deep.equal({
      kind: 'reset-password',
      email,
      askedAt: resets.service.clock.now,
      address: '127.0.0.1',
      requestId: reply.headers['x-request-id'],
      attempts: 0,
    })
    const [account] = (await store.copyableRecords?.page('account', undefined, 10)) ?? []
    expect(account?.resets).to.equal(undefined)
  })
})

function digestOf({ service }: Resetting, token: string): string {
  return service.useCases.resetTokens.digest(token)
}
