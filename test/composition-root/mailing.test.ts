import { expect } from 'chai'
import sinon from 'sinon'
import type { SendMails, SendOutcome } from '../../src/application/mail/send-mails.js'
import type { SiftMails } from '../../src/application/mail/sift-mails.js'
import { createMailing, type MailWorker } from '../../src/composition-root/background.js'
import type { Mailer } from '../../src/ports/mail.js'
import { collectingLog } from '../support/log-collector.js'
import { SENT } from '../support/mail/postbox.js'

const IDLE: SendOutcome = { sent: 0 }
const LOOK_EVERY = 10_000

type Run = {
  readonly isStopped: () => boolean
  readonly finish: (outcome: SendOutcome) => void
  readonly fail: (error: Error) => void
}

describe('the worker that sends emails', () => {
  let timers: sinon.SinonFakeTimers
  let runs: Run[]
  /** Searches for emails without a recipient. */
  let sifts: (() => Promise<void>)[]
  let sift: () => Promise<void>
  let collected: ReturnType<typeof collectingLog>
  let clock: () => number
  let closed = 0
  let started: MailWorker[]
  beforeEach(() => {
    const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] as const
    timers = sinon.useFakeTimers({ now: 1_000_000, toFake: [...toFake] })
    clock = () => timers.now
    runs = []
    sifts = []
    sift = async () => undefined
    collected = collectingLog()
    closed = 0
    started = []
  })
  afterEach(async () => {
    const ending = started.map((one) => one.end())
    for (const { finish } of runs) finish(IDLE)
    await Promise.all(ending)
    timers.restore()
  })

  /** Each run continues until the test says how it ends. */
  const sendMails: SendMails = (isStopped = () => false) =>
    new Promise((finish, fail) => runs.push({ isStopped, finish, fail }))
  const siftMails: SiftMails = async () => {
    sifts.push(sift)
    await sift()
  }
  const mailer: Mailer = { send: async () => SENT, close: async () => void (closed += 1) }
  const start = (): MailWorker => {
    const parts = { clock: () => clock(), log: collected.log }
    const mailing = createMailing({ siftMails, sendMails }, mailer, parts)
    started.push(mailing)
    return mailing
  }
  const warningOf = (event: string, error: Error) => ({
    ...{ level: 'warn', event: `${event}; it will be tried again`, fields: { error } },
  })
  /** Completes all work that is already due. */
  const settle = () => timers.tickAsync(0)
  const finish = async (outcome: SendOutcome = IDLE) => {
    runs.at(-1)?.finish(outcome)
    await settle()
  }

  it('sends emails at startup, and checks for emails from other instances every ten seconds', async () => {
    start()
    expect(runs).to.have.length(1)
    await finish()
    for (let look = 2; look <= 5; look += 1) {
      await timers.tickAsync(LOOK_EVERY - 1)
      expect(runs).to.have.length(look - 1)
      await timers.tickAsync(1)
      expect(runs).to.have.length(look)
      await finish()
    }
  })

  it('runs one batch at a time, and one more for all wake calls that arrive in the meantime', async () => {
    const mailing = start()
    for (let n = 0; n < 5; n += 1) mailing.wake()
    await timers.tickAsync(3 * LOOK_EVERY)
    expect(runs).to.have.length(1)
    for (let n = 0; n < 2; n += 1) {
      await finish()
      expect(runs).to.have.length(2)
    }
    mailing.wake()
    expect(runs, 'immediately').to.have.length(3)
  })

  it('does not miss a wake call at the end of a run', async () => {
    for (let turns = 0; turns < 30; turns += 1) {
      runs = []
      const mailing = start()
      runs[0]?.finish(IDLE)
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve()
      mailing.wake()
      await settle()
      expect(runs, `${turns} turns later`).to.have.length(2)
      await finish()
    }
  })

  for (const [title, pause, wokenBefore] of [
    ['is woken', 4_000, false],
    ['looks for mails', 64_000, false],
    ['was woken before', 2_000, true],
  ] as const)
    it(`pauses while no email can be sent, even if the worker ${title}, and resumes on schedule`, async () => {
      const mailing = start()
      if (wokenBefore) mailing.wake()
      await finish({ sent: 3, againAt: timers.now + pause })
      for (let passed = 1_000; passed < pause; passed += 1_000) {
        await timers.tickAsync(1_000)
        mailing.wake()
      }
      await timers.tickAsync(999)
      expect(runs).to.have.length(1)
      await timers.tickAsync(100)
      expect(runs).to.have.length(2)
      await finish()
      mailing.wake()
      expect(runs).to.have.length(3)
    })

  it('searches for emails without a recipient even while an email takes a long time to send or no email can be sent', async () => {
    const mailing = start()
    expect(sifts).to.have.length(1)
    await settle()
    mailing.wake()
    await settle()
    expect([runs.length, sifts.length]).to.deep.equal([1, 2])
    await finish({ sent: 0, againAt: timers.now + 64_000 })
    mailing.wake()
    await settle()
    expect([runs.length, sifts.length]).to.deep.equal([1, 3])
    await timers.tickAsync(2 * LOOK_EVERY)
    expect([runs.length, sifts.length]).to.deep.equal([1, 5])
  })

  it('logs a failed search and a failed run, and tries both again at the next check', async () => {
    const error = new Error('the store is away')
    sift = () => Promise.reject(error)
    start()
    await settle()
    sift = async () => undefined
    runs[0]?.fail(error)
    await settle()
    expect(collected.lines).to.deep.equal([
      warningOf('removing unneeded emails from the queue failed', error),
      warningOf('sending emails failed', error),
    ])
    expect([runs.length, sifts.length]).to.deep.equal([1, 1])
    await timers.tickAsync(LOOK_EVERY)
    expect([runs.length, sifts.length]).to.deep.equal([2, 2])
  })

  it('logs the error if the clock throws, and tries again at the next check', async () => {
    const error = new Error('the clock is broken')
    clock = () => {
      throw error
    }
    start()
    await timers.tickAsync(LOOK_EVERY)
    const line = warningOf('sending emails failed', error)
    expect(collected.lines).to.deep.equal([line, line])
    clock = () => timers.now
    await timers.tickAsync(LOOK_EVERY)
    expect(runs).to.have.length(1)
  })

  it('closes the mailer when stopped, waits for the email being sent, and starts no new run', async () => {
    const mailing = start()
    mailing.wake()
    expect(runs[0]?.isStopped()).to.equal(false)
    let ended = false
    const ending = mailing.end().then(() => (ended = true))
    await settle()
    expect([closed, ended, runs[0]?.isStopped()]).to.deep.equal([1, false, true])
    await finish({ sent: 0, againAt: timers.now + 1000 })
    await ending
    mailing.wake()
    await timers.tickAsync(10 * LOOK_EVERY)
    expect(runs).to.have.length(1)
    expect(timers.countTimers()).to.be.lessThan(2)
  })

  it('logs no failure that was caused by stopping the worker', async () => {
    const ending = start().end()
    runs[0]?.fail(new Error('the store is closed'))
    await ending
    expect(collected.lines).to.deep.equal([])
  })
})
