import { expect } from 'chai'
import { composeResets, type ComposedResets } from '../../support/mail/composed-resets.js'
import { START } from '../../support/use-cases.js'
import type { Delivery, MailTemplates } from '../../../src/ports/mail.js'
import { collectingLog } from '../../support/log-collector.js'
import { createPostbox, ownTemplates, SENT, tokenIn, type Postbox } from '../../support/mail/postbox.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const UNREACHABLE: Delivery = { kind: 'unreachable', detail: 'no route' }
const DEFERRED: Delivery = { kind: 'deferred', detail: 'mailbox full' }

describe('sending emails', () => {
  let resets: ComposedResets
  let postbox: Postbox
  let collected: ReturnType<typeof collectingLog>
  beforeEach(async () => {
    collected = collectingLog()
    postbox = createPostbox()
    resets = await composeResets({ postbox, log: collected.log })
  })

  const sendMails = (isStopped?: () => boolean) => resets.mails().sendMails(isStopped)
  const at = (instant: number) => {
    resets.clock.now = instant
  }
  const ask = (email: string) => resets.ask(email)
  let made = 0
  const accounts = async (count: number) => {
    const emails = Array.from({ length: count }, () => `guest-${(made += 1)}@example.com`)
    for (const email of emails) await resets.account(email)
    return emails
  }
  const arrivedAt = () => postbox.arrived.map(({ to }) => to)
  const told = () => collected.lines.map(({ level, event }) => `${level}: ${event}`)

  describe('after a one-hour outage of the mail server, during which 50 emails were requested', () => {
    let emails: readonly string[]
    let pauses: number[]
    /** Sends emails at the times that the worker returns, and requests new emails in between. */
    beforeEach(async () => {
      emails = await accounts(50)
      pauses = []
      postbox.answer(() => (resets.clock.now < START + HOUR ? UNREACHABLE : SENT))
      let next = START
      for (const [n, email] of emails.entries()) {
        const askedAt = START + n * 72_000
        while (next < askedAt) next = await sendAt(next)
        at(askedAt)
        await ask(email)
      }
      while (postbox.arrived.length === 0) next = await sendAt(next)
    })

    async function sendAt(moment: number): Promise<number> {
      at(moment)
      const { againAt } = await sendMails()
      if (againAt !== undefined) pauses.push(againAt - moment)
      return againAt ?? moment + 1000
    }

    it('sends all emails, each once and in order', () => {
      expect(arrivedAt()).to.deep.equal(emails)
    })

    const triedInVain = () => postbox.tried.slice(0, -50)

    it('has increased the pauses between attempts to at most 64 s', () => {
      expect(pauses.slice(0, 7)).to.deep.equal([1, 2, 4, 8, 16, 32, 64].map((seconds) => seconds * 1000))
      expect(new Set(pauses.slice(7))).to.deep.equal(new Set([64_000]))
      const whole = pauses.reduce((sum, pause) => sum + pause, 0)
      expect(whole).to.be.within(HOUR, HOUR + 63_999)
    })

    it('has retried the first email after each pause, and also the second email from the eleventh pause on', () => {
      const tries = triedInVain().map(({ to }) => emails.indexOf(to))
      expect(tries.slice(0, 10)).to.deep.equal(Array.from({ length: 10 }, () => 0))
      expect(tries.slice(10)).to.deep.equal(pauses.slice(10).flatMap(() => [0, 1]))
    })

    it('has issued a token for each attempt, and only the last token works', async () => {
      const tokens = postbox.tried.map(tokenIn)
      expect(new Set(tokens).size).to.equal(tokens.length)
      for (const mail of triedInVain())
        expect(await resets.consume(mail.to, tokenIn(mail))).to.equal('invalid')
      for (const mail of postbox.arrived)
        expect(await resets.consume(mail.to, tokenIn(mail))).to.equal('done')
    })

    it('has logged the beginning and the end of the outage, without an email address', () => {
      expect(told()).to.deep.equal(['warn: email cannot be sent', 'info: emails can be sent again'])
      expect(collected.lines[0]?.fields).to.deep.equal({ detail: 'no route' })
      expect(collected.text()).to.not.include('@')
    })

    it('pauses for only one second at first if the server fails again', async () => {
      postbox.answer(() => UNREACHABLE)
      await ask(emails[0] ?? '')
      const { now } = resets.clock
      expect(await sendMails()).to.deep.equal({ sent: 0, againAt: now + 1000 })
    })
  })

  it('gives up on rejected emails, logs each failure without the address, and continues', async () => {
    const [refused, other] = await accounts(2)
    postbox.answer(({ to }) => (to === refused ? { kind: 'refused', detail: 'no such mailbox' } : SENT))
    await ask(refused ?? '')
    await ask(other ?? '')
    expect(await sendMails()).to.deep.equal({ sent: 1 })
    expect(arrivedAt()).to.deep.equal([other])
    expect(told()).to.deep.equal(['error: an email was discarded as undeliverable'])
    expect(collected.lines[0]?.fields).to.deep.equal({ detail: 'no such mailbox', count: 1 })
    expect(collected.text()).to.not.include('@')
    const { ask: askWithoutLog, account, mails } = await composeResets({ postbox })
    await account(refused ?? '')
    await askWithoutLog(refused ?? '')
    expect(await mails().sendMails()).to.deep.equal({ sent: 0 })
    at(START + DAY)
    expect(await sendMails()).to.deep.equal({ sent: 0 })
    expect(postbox.tried).to.have.length(3)
  })

  it('sends other emails before a deferred email, which is retried after 1, 2, 4 … 16 minutes for three days', async () => {
    const [full = '', other = ''] = await accounts(2)
    postbox.answer(({ to }) => (to === full ? DEFERRED : SENT))
    await ask(full)
    await ask(other)
    expect(await sendMails()).to.deep.equal({ sent: 1 })
    expect(arrivedAt()).to.deep.equal([other])
    let tries = 1
    for (let minutes = 1; resets.clock.now < START + 3 * DAY; minutes = Math.min(16, minutes * 2)) {
      const due = resets.clock.now + minutes * MINUTE
      at(due - 1)
      await sendMails()
      expect(postbox.tried).to.have.length(tries + 1)
      expect(told()).to.deep.equal([])
      at(due)
      expect(await sendMails()).to.deep.equal({ sent: 0 })
      tries += 1
      expect(postbox.tried).to.have.length(tries + 1)
    }
    expect(tries).to.equal(275)
    expect(told()).to.deep.equal(['error: an email was discarded as undeliverable'])
    expect(collected.lines[0]?.fields).to.deep.equal({ detail: 'mailbox full', count: 275 })
    at(START + 30 * DAY)
    expect(await sendMails()).to.deep.equal({ sent: 0 })
    expect(postbox.tried).to.have.length(276)
    expect(await resets.resetRecords()).to.have.length(2)
  })

  it('gives up after three days without a mail server, but not before', async () => {
    const [first = '', second = ''] = await accounts(2)
    postbox.answer(() => UNREACHABLE)
    await ask(first)
    at(START + 1)
    await ask(second)
    at(START + 3 * DAY - 1)
    expect(await sendMails()).to.deep.equal({ sent: 0, againAt: START + 3 * DAY - 1 + 1000 })
    expect(told()).to.deep.equal(['warn: email cannot be sent'])
    at(START + 3 * DAY)
    expect((await sendMails()).againAt).to.equal(START + 3 * DAY + 2000)
    expect(told().slice(1)).to.deep.equal(['error: an email was discarded as undeliverable'])
    postbox.answer(() => SENT)
    expect(await sendMails()).to.deep.equal({ sent: 1 })
    expect(arrivedAt()).to.deep.equal([second])
  })

  it('pauses after an error of the mailer, as if the mail server were unreachable, and logs the error', async () => {
    const [email = ''] = await accounts(1)
    const error = new Error('the mailer is broken')
    postbox.answer(() => Promise.reject(error))
    await ask(email)
    expect(await sendMails()).to.deep.equal({ sent: 0, againAt: START + 1000 })
    const events = ['warn: sending emails failed; it will be tried again', 'warn: email cannot be sent']
    expect(told()).to.deep.equal(events)
    expect(collected.lines[0]?.fields).to.deep.equal({ error })
    postbox.answer(() => SENT)
    expect(await sendMails()).to.deep.equal({ sent: 1 })
  })

  it('defers an email whose template throws, sends other emails, and gives up after three days', async () => {
    const own = ownTemplates()
    const templates: MailTemplates = {
      render: (kind, values) => {
        if (values.email === 'broken@example.com') throw new Error('the template is broken')
        return own.render(kind, values)
      },
    }
    resets = await composeResets({ postbox, templates, log: collected.log })
    for (const email of ['broken@example.com', 'other@example.com']) {
      await resets.account(email)
      await ask(email)
    }
    expect(await sendMails()).to.deep.equal({ sent: 1 })
    expect(arrivedAt()).to.deep.equal(['other@example.com'])
    expect(await resets.resetRecords()).to.have.length(2)
    at(START + 3 * DAY)
    expect(await sendMails()).to.deep.equal({ sent: 0 })
    const failed = 'warn: sending emails failed; it will be tried again'
    expect(told()).to.deep.equal([failed, failed, 'error: an email was discarded as undeliverable'])
  })

  it('postpones an email that breaks every connection, so that other emails are sent', async () => {
    const [breaking = '', other = '', third = ''] = await accounts(3)
    postbox.answer(({ to }) => (to === breaking ? UNREACHABLE : SENT))
    await ask(breaking)
    await ask(other)
    for (let tries = 1; tries <= 10; tries += 1) {
      const { againAt = 0 } = await sendMails()
      expect([againAt > resets.clock.now, postbox.tried.length]).to.deep.equal([true, tries])
      at(againAt)
    }
    expect(await sendMails()).to.deep.equal({ sent: 1 })
    expect(postbox.tried.slice(10).map(({ to }) => to)).to.deep.equal([breaking, other])
    at(resets.clock.now + MINUTE - 1)
    await ask(third)
    expect(await sendMails()).to.deep.equal({ sent: 1 })
    at(resets.clock.now + 1)
    await sendMails()
    expect(postbox.tried.slice(12).map(({ to }) => to)).to.deep.equal([third, breaking])
    expect(await resets.resetRecords()).to.have.length(3)
  })
})
