import { expect } from 'chai'
import { requestPasswordReset } from '../../../../src/application/identity/password-reset/request-password-reset.js'
import { codeOf, refused } from '../../../support/refusal-of.js'
import { RESETS_PERMITTED } from '../../../support/http/resetting.js'
import { type Composed, composeUseCases, presentedBy } from '../../../support/use-cases.js'

const email = 'ada@example.com'
const MINUTE = 60_000

describe('requesting a password reset', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases({
      permissions: RESETS_PERMITTED,
      loginLimit: { count: 1, window: MINUTE },
    })
    await kennel.account(email)
    await kennel.audited()
  })

  const ask = (of: unknown, address?: string) =>
    kennel.useCases.requestPasswordReset({
      email: of,
      presented: address === undefined ? {} : { client: { address } },
    })
  /** Removes the waiting emails from the queue and returns them. */
  const queued = async () => {
    const mails: string[] = []
    const { now } = kennel.clock
    for (let job = await claim(now); job; job = await claim(now)) {
      mails.push(`${job.kind} ${job.email}`)
      await kennel.store.mailQueue.remove({ id: job.id, until: now + MINUTE })
    }
    return mails
  }
  const claim = (now: number) => kennel.store.mailQueue.claim(now, now + MINUTE)

  it('queues an email whether or not the account exists, and reads no account', async () => {
    for (const part of ['accounts', 'hasher']) expect(requestPasswordReset.parts).to.not.include(part)
    await ask('ADA@example.com', '192.0.2.1')
    await ask('nobody@example.com')
    expect(await queued()).to.deep.equal([`reset-password ${email}`, 'reset-password nobody@example.com'])
  })

  it('rejects an invalid email before counting the request', async () => {
    for (const [wrong, type] of [
      [undefined, 'Required'],
      ['', 'Required'],
      ['ada', 'Format'],
    ] as const)
      expect(await refused(ask(wrong, '192.0.2.1'))).to.deep.equal(['invalid', 'email', type])
    for (let n = 0; n < 5; n += 1) await ask(`user${n}@example.com`, '192.0.2.1')
  })

  it('rejects a caller who impersonates another account', async () => {
    await kennel.account('boss@example.com', ['admin'])
    const boss = presentedBy(await kennel.login('boss@example.com'))
    const presented = presentedBy(await kennel.useCases.loginAs({ userId: 1, presented: boss }))
    const acting = kennel.useCases.requestPasswordReset({ email, presented })
    expect(await codeOf(acting)).to.equal('forbidden')
    expect(await queued()).to.deep.equal([])
  })
})
