import { expect } from 'chai'
import { requestPasswordReset } from '../../../src/application/identity/password-reset.js'
import { operations, type PartsOf } from '../../../src/application/index.js'
import { RESETS_PERMITTED } from '../../support/http/resetting.js'
import { collectingLog } from '../../support/log-collector.js'
import { ADA } from '../../support/logins.js'
import { createPostbox, ownTemplates, tokenIn, type Postbox } from '../../support/mail/postbox.js'
import { oneTimeCode } from '../../support/one-time-code.js'
import { codeOf, refusalOf, wordsOf, refused } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'
import { fakedParts, type FakedParts } from './faked-parts.js'

const email = 'ada@example.com'
const client = { address: '192.0.2.1' }
const NEXT = 'a password of tomorrow'

describe('consuming a reset token', () => {
  let kennel: Composed
  let postbox: Postbox
  let resetToken: string

  beforeEach(async () => {
    postbox = createPostbox()
    const mail = { mailer: postbox.mailer, templates: ownTemplates() }
    kennel = await composeUseCases({
      permissions: RESETS_PERMITTED,
      mail,
      loginLimit: { count: 2, window: 60_000 },
    })
    await kennel.account(email)
    await kennel.useCases.requestPasswordReset({ email, presented: {} })
    await kennel.mails().sendMails()
    resetToken = tokenIn(postbox.arrived[0])
    await kennel.audited()
  })

  type Ask = { email?: unknown; resetToken?: unknown; password?: unknown }
  const consume = (ask: Ask = {}) =>
    kennel.useCases.consumeResetToken({ email, resetToken, password: NEXT, presented: { client }, ...ask })
  const told = async (ask?: Ask) => {
    const { code, messages } = await refusalOf(consume(ask))
    return [code, ...messages.map(({ field, type }) => [field, type].join(' '))]
  }
  const login = (password: string) => kennel.useCases.login({ email, password, presented: { client } })

  it('sets the password, ends every login, opens no new login and sends a notice', async () => {
    const before = presentedBy(await login(PASSWORD))
    await kennel.audited()
    await consume()
    expect(await codeOf(kennel.useCases.getIdentity(before))).to.equal('invalid-token')
    expect(await kennel.audited()).to.deep.equal(['reset.done anonymous account:1 success from 192.0.2.1'])
    expect((await login(NEXT)).identity.email).to.equal(email)
    await kennel.mails().sendMails()
    expect(postbox.arrived).to.have.lengthOf(2)
  })

  it('rejects with the same message every token that is invalid for the email, and counts the attempt', async () => {
    expect(await told({ resetToken: 'none' })).to.deep.equal(['invalid', 'resetToken NotValid'])
    expect(await told({ email: 'bob@example.com' })).to.deep.equal(['invalid', 'resetToken NotValid'])
    await told({ resetToken: 'none' })
    for (const { code } of [await refusalOf(consume()), await refusalOf(login(PASSWORD))])
      expect(code).to.equal('too-many-attempts')
    expect((await kennel.audited())[0]).to.equal('reset.done anonymous - failure from 192.0.2.1')
  })

  it('requires the exact token, and does not consume the token if the call is refused', async () => {
    kennel = await composeUseCases({ permissions: RESETS_PERMITTED, store: kennel.store })
    const last = resetToken.endsWith('A') ? 'B' : 'A'
    const tokens = kennel.useCases.proofSecrets
    for (const wrong of [
      ...[`${resetToken.slice(0, -1)}${last}`, resetToken.slice(0, -1), ` ${resetToken}`, `${resetToken}\n`],
      ...[tokens.digest(resetToken), tokens.fresh(), '\u0000', '\ud83d', resetToken.repeat(280)],
    ])
      expect(await told({ resetToken: wrong }), wrong).to.deep.equal(['invalid', 'resetToken NotValid'])
    await consume()
  })

  it('keeps the second factor, so a login with the new password requires a code', async () => {
    kennel = await composeUseCases({ permissions: RESETS_PERMITTED, store: kennel.store })
    const presented = presentedBy(await login(PASSWORD))
    const { secret } = await kennel.useCases.setUpSecondFactor({ password: PASSWORD, presented })
    await kennel.useCases.confirmSecondFactor({ code: oneTimeCode(secret, kennel.clock.now), presented })
    await consume()
    expect(await codeOf(login(NEXT))).to.equal('second-factor-required')
  })

  it('reports every missing field and every broken rule, and does not consume the token', async () => {
    expect(await told({ email: '', resetToken: undefined, password: '' })).to.deep.equal([
      'invalid',
      'email Required',
      'resetToken Required',
      'password Required',
    ])
    expect(await told({ password: 'short' })).to.deep.equal(['invalid', 'password Length'])
    for (const password of ['password123', 'Ada-Example-2026', 'kennel1234'])
      expect(await told({ password })).to.deep.equal(['invalid', 'password NotValid'])
    expect(await told({ email: '', password: 'password123' })).to.deep.equal([
      'invalid',
      'email Required',
      'password NotValid',
    ])
    await consume()
  })
})

describe('consuming a reset token, with fakes', () => {
  let faked: FakedParts
  let queued: unknown[]
  let holds: boolean
  let found: object | undefined
  let collected: ReturnType<typeof collectingLog>
  beforeEach(() => {
    faked = fakedParts()
    queued = []
    holds = true
    found = { ...ADA, email, enteredEmail: 'Ada@Example.com' }
    collected = collectingLog()
  })
  const lost = new Error('no queue')

  const consume = (parts: Partial<PartsOf<'consumeResetToken'>> = {}) =>
    operations.consumeResetToken.factory({
      ...faked.parts,
      refuseImpersonated: () => Promise.resolve(),
      accounts: { find: async () => found },
      proofs: {
        find: async () => (holds ? { purpose: 'reset-password', email } : undefined),
        resetPassword: async () => ADA.id,
      },
      hasher: { hash: async () => 'hash' },
      passwordPolicy: async (value: string) => ({ ok: true, value }),
      proofSecrets: { digest: (token: string) => token },
      queueMail: async (...args: unknown[]) => void queued.push(args),
      ...parts,
    } as unknown as PartsOf<'consumeResetToken'>)({
      email,
      resetToken: 'token',
      password: NEXT,
      presented: {},
    })

  it("sends the password-change notice to the account's email as it was entered", async () => {
    await consume()
    expect(queued).to.deep.equal([['password-changed', 'Ada@Example.com']])
  })

  it('sends no notice and logs no error if the account was deleted in the meantime', async () => {
    found = undefined
    await consume({ log: collected.log })
    expect([queued, collected.lines]).to.deep.equal([[], []])
  })

  it('sets the password even if the notice is lost, and logs the lost notice', async () => {
    const queueMail = () => Promise.reject(lost)
    await consume({ queueMail, log: collected.log })
    expect(collected.lines).to.deep.equal([
      {
        level: 'error',
        event: 'a password was reset, but some of the follow-up steps failed',
        fields: { error: lost },
      },
    ])
    await consume({ queueMail })
    expect(faked.entries.map(({ outcome = 'success' }) => outcome)).to.deep.equal(['success', 'success'])
  })

  it('does not hash the password if the token is invalid', async () => {
    holds = false
    expect(await wordsOf(consume({ hasher: { hash: () => expect.fail() } as never }))).to.match(
      /^invalid \| resetToken NotValid/,
    )
    const entries = faked.entries.map(({ by, event, outcome }) => [by, event, outcome])
    expect(entries).to.deep.equal([['tally', 'reset.done', 'failure']])
  })
})

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
