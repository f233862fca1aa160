import { expect } from 'chai'
import { createMemoryStore } from '../../../../src/adapters/memory/store.js'
import { createSendMails } from '../../../../src/application/mail/send-mails.js'
import { aMailJob, NOW } from '../../../../src/contracts/samples.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { Delivery } from '../../../../src/ports/mail.js'
import { collectingLog } from '../../../support/log-collector.js'
import { SENT } from '../../../support/mail/postbox.js'

const DAY = 86_400_000
const AWAY: Delivery = { kind: 'unreachable', detail: 'no route' }
const FULL: Delivery = { kind: 'deferred', detail: 'mailbox full' }
type Ending = Delivery | 'no recipient'

describe('the outcomes of emails', () => {
  let clock: { now: number }
  let endings: Ending[]
  let sifted: number
  let collected: ReturnType<typeof collectingLog>
  let mailQueue: ReturnType<typeof createMemoryStore>['mailQueue']

  beforeEach(() => {
    clock = { now: NOW }
    sifted = 0
    collected = collectingLog()
    mailQueue = createMemoryStore().mailQueue
  })

  /** The outcomes of consecutive attempts. */
  const sending = (...given: readonly Ending[]) => {
    endings = [...given]
    return createSendMails({
      mailQueue,
      makeMail: ({ email }) =>
        Promise.resolve(endings[0] === 'no recipient' ? void endings.shift() : { ...MAIL, to: email }),
      siftMails: () => Promise.resolve(void (sifted += 1)),
      mailer: {
        send: () => Promise.resolve((endings.shift() ?? SENT) as Delivery),
        close: () => Promise.resolve(),
      },
      clock: () => clock.now,
      log: collected.log,
    })
  }
  const queue = async (count: number) => {
    for (let rank = 0; rank < count; rank += 1) await mailQueue.enqueue(aMailJob(String(rank)), 10)
  }
  const waiting = async (at = clock.now) => (await mailQueue.waiting(undefined, at, 10)).length
  const told = () => collected.lines.map(({ level, event }) => `${level}: ${event}`)

  it('do not count an email without a recipient as a failure, but start a search for similar emails in the queue', async () => {
    await queue(3)
    expect(await sending(SENT, 'no recipient', SENT)()).to.deep.equal({ sent: 2 })
    expect([sifted, told(), await waiting(NOW + DAY)]).to.deep.equal([1, [], 0])
  })

  it('leave the pause between attempts unchanged if an email has no recipient', async () => {
    await queue(2)
    const sendMails = sending(AWAY, 'no recipient', AWAY, SENT)
    expect(await sendMails()).to.deep.equal({ sent: 0, againAt: NOW + 1_000 })
    clock.now += 1_000
    expect(await sendMails()).to.deep.equal({ sent: 0, againAt: NOW + 3_000 })
    expect(told()).to.deep.equal(['warn: email cannot be sent'])
    clock.now += 2_000
    expect(await sendMails()).to.deep.equal({ sent: 1 })
    expect(told()).to.deep.equal(['warn: email cannot be sent', 'info: emails can be sent again'])
  })

  it('are logged as errors only if the address belongs to an account, or if there was no mail server', async () => {
    const refused: Delivery = { kind: 'refused', detail: 'no such mailbox' }
    for (const [kind, end, line] of [
      ['sign-up', refused, 'warn: an email to an unconfirmed address was discarded'],
      ['change-email', FULL, 'warn: an email to an unconfirmed address was discarded'],
      ['sign-up', AWAY, 'error: an email was discarded as undeliverable'],
      ['login', refused, 'error: an email was discarded as undeliverable'],
    ] as const) {
      collected = collectingLog()
      await mailQueue.enqueue(aMailJob('0', { kind, askedAt: NOW - 3 * DAY }), 10)
      await sending(end)()
      expect(told()[0], `${kind} ${end.kind}`).to.equal(line)
    }
  })
})

const MAIL = { to: 'ada@example.com' as Email, subject: 'Subject', text: 'Text', html: 'HTML' }
