import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { StepUp } from '../../../src/domain/access/step-up.js'
import type { SessionId } from '../../../src/domain/identity/session.js'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import type { Issued } from '../../../src/application/identity/issue.js'
import type { Presented } from '../../../src/application/identity/presented.js'
import { factorHolder } from '../../support/factor.js'
import { acting } from '../../support/mail/proof-flows.js'
import { createAuthenticator, type Misbehaviour } from '../../support/passkey-authenticator.js'
import { passkeyHolder } from '../../support/passkeys.js'
import { permitting } from '../../support/permissions.js'
import { codeOf, refused } from '../../support/refusal-of.js'
import {
  composeUseCases,
  PASSWORD,
  presentedBy,
  type Composed,
  type UseCaseOptions,
} from '../../support/use-cases.js'
import { createGate, watching } from '../../support/watched-store.js'

const ADA = 'ada@example.com'
const MINUTE = 60_000

/** Lets a logged-in user export the account if the login meets this condition. */
const withCondition = (condition: StepUp) =>
  permitting({
    everyone: { components: { auth: ['login', 'get-identity', 'refresh', 'logout'], user: ['find'] } },
    user: {
      components: { auth: ['second-factor', 'change-password', 'confirm', { 'export-account': condition }] },
    },
    admin: { components: { auth: ['login-as', 'logout-as'] } },
  })

/**
 * Tries to export the account with a wrong password. The export checks the condition first, so `invalid` means that the login meets it.
 */
async function outcome({ useCases }: Composed, presented: Presented): Promise<readonly unknown[]> {
  const [code, field] = await refused(useCases.exportAccount({ password: 'wrong', presented }))
  return code === 'fresh-login-required' ? [code, field] : [code]
}

const MET = ['invalid']

describe('confirming a login', () => {
  for (const mode of ['stateful', 'stateless', 'stateless-revocable'] as const) {
    describe(`in ${mode} mode`, () => {
      const start = async (condition: StepUp, lifetimes = { accessToken: 60 * MINUTE }) => {
        const kennel = await composeUseCases({ mode, permissions: withCondition(condition), lifetimes })
        await kennel.account(ADA)
        return { kennel, issued: await kennel.login(ADA) }
      }

      it('is required once the last proof is too old, and then meets the condition of the permission', async () => {
        const { kennel, issued } = await start({ fresh: 10 * MINUTE })
        const presented = presentedBy(issued)
        // Token times are in whole seconds.
        kennel.clock.now += 10 * MINUTE - 1000
        expect(await outcome(kennel, presented)).to.deep.equal(MET)
        kennel.clock.now += 1001
        expect(await outcome(kennel, presented)).to.deep.equal(['fresh-login-required', 'password'])
        const confirmed = await kennel.useCases.confirmLogin({ password: PASSWORD, presented })
        expect(await outcome(kennel, presentedBy(confirmed))).to.deep.equal(MET)
        expect(Math.floor(confirmed.endsAt / 1000)).to.equal(Math.floor(issued.endsAt / 1000))
        if (mode === 'stateful') expect(confirmed.identity.sessionId).to.equal(issued.identity.sessionId)
      })

      it('is valid for the configured time, which a refresh does not extend', async () => {
        const { kennel, issued } = await start({ fresh: 10 * MINUTE })
        kennel.clock.now += 11 * MINUTE
        const confirmed = await kennel.useCases.confirmLogin({
          password: PASSWORD,
          presented: presentedBy(issued),
        })
        kennel.clock.now += 9 * MINUTE
        const { refreshToken } = confirmed
        const { sessionKey } = presentedBy(confirmed)
        const refreshed = await kennel.useCases.refresh({ refreshToken, presented: { sessionKey } })
        expect(await outcome(kennel, presentedBy(refreshed))).to.deep.equal(MET)
        kennel.clock.now += 2 * MINUTE
        expect(await outcome(kennel, presentedBy(refreshed))).to.deep.equal([
          'fresh-login-required',
          'password',
        ])
      })

      it('proves the second factor with a code', async () => {
        const permissions = withCondition({ factor: 5 * MINUTE })
        const kennel = await composeUseCases({ mode, permissions, lifetimes: { accessToken: 60 * MINUTE } })
        const { issued, code } = await factorHolder(kennel, ADA)
        const presented = presentedBy(issued)
        expect(await outcome(kennel, presented)).to.deep.equal(MET)
        kennel.clock.now += 6 * MINUTE
        expect(await outcome(kennel, presented)).to.deep.equal(['fresh-login-required', 'code'])
        const confirm = (password: string, given?: string) =>
          kennel.useCases.confirmLogin({ password, code: given, presented })
        expect(await refused(confirm('wrong', code()))).to.deep.equal(['invalid', 'password', 'NotValid'])
        expect(await refused(confirm(PASSWORD))).to.deep.equal(['invalid', 'code', 'Required'])
        const { code: another } = await factorHolder(kennel, 'eve@example.com')
        for (const wrong of [code(-9), another(1)])
          expect(await refused(confirm(PASSWORD, wrong))).to.deep.equal(['invalid', 'code', 'NotValid'])
        const confirmed = presentedBy(await confirm(PASSWORD, code()))
        expect(await outcome(kennel, confirmed)).to.deep.equal(MET)
        const spent = kennel.useCases.confirmLogin({ password: PASSWORD, code: code(), presented: confirmed })
        expect(await refused(spent)).to.deep.equal(['invalid', 'code', 'NotValid'])
      })
    })
  }

  it('is forbidden during an impersonation, which can never meet a condition', async () => {
    const kennel = await composeUseCases({ permissions: withCondition({ fresh: 10 * MINUTE }) })
    const userId = await kennel.account(ADA)
    await kennel.account('root@example.com', ['admin'])
    const root = await kennel.login('root@example.com')
    const acting = await kennel.useCases.loginAs({ userId, presented: presentedBy(root) })
    const presented = presentedBy(acting)
    expect(await codeOf(kennel.useCases.confirmLogin({ password: PASSWORD, presented }))).to.equal(
      'forbidden',
    )
    expect(await outcome(kennel, presented)).to.deep.equal(['forbidden'])
    const back = presentedBy(await kennel.useCases.logoutAs({ presented }))
    expect(await outcome(kennel, back)).to.deep.equal(['fresh-login-required', 'password'])
  })

  it('is still necessary after a password change if the condition requires the second factor', async () => {
    const kennel = await composeUseCases({ permissions: withCondition({ factor: 5 * MINUTE }) })
    const { issued } = await factorHolder(kennel, ADA)
    kennel.clock.now += 6 * MINUTE
    const changed = await kennel.useCases.changePassword({
      password: PASSWORD,
      newPassword: 'another long password',
      presented: presentedBy(issued),
    })
    expect(await outcome(kennel, presentedBy(changed))).to.deep.equal(['fresh-login-required', 'code'])
  })
})

const EVE = 'eve@example.com'
const NOT_VALID = ['invalid', 'passkey', 'NotValid']

const permissions = permitting({
  user: {
    components: { auth: ['passkey', 'confirm', 'second-factor', { 'list-sessions': { fresh: MINUTE } }] },
  },
})

async function start(options: UseCaseOptions = {}) {
  const lifetimes = { accessToken: 60 * MINUTE }
  const kennel = await composeUseCases({ passkeys: true, permissions, lifetimes, ...options })
  const { issued, authenticator } = await passkeyHolder(kennel, ADA)
  kennel.clock.now += 2 * MINUTE
  const presented = presentedBy(issued)
  const respond = async (changes?: Misbehaviour, by = presented) =>
    authenticator.get(await kennel.useCases.beginPasskeyConfirmation(by), changes)
  const confirm = async (changes?: Misbehaviour) =>
    await kennel.useCases.confirmLogin({ passkey: await respond(changes), presented })
  return { kennel, issued, presented, authenticator, respond, confirm }
}

describe('confirming a login with a passkey', () => {
  it('meets a condition of the permissions, and keeps the session', async () => {
    const { kennel, issued, confirm } = await start({ mode: 'stateful' })
    const list = (one: Issued) => kennel.useCases.listOwnSessions({ presented: presentedBy(one) })
    expect(await codeOf(list(issued))).to.equal('fresh-login-required')
    await kennel.audited()
    const confirmed = await confirm()
    expect(await kennel.audited()).to.deep.equal(['login.confirm account:1 account:1 success'])
    expect(confirmed.identity.sessionId).to.equal(issued.identity.sessionId)
    await list(confirmed)
  })

  it('requests a passkey that the account has, and refuses an account without passkeys', async () => {
    const { kennel, presented } = await start()
    const [passkey] = await kennel.useCases.listPasskeys(presented)
    const options = await kennel.useCases.beginPasskeyConfirmation(presented)
    expect(options['allowCredentials']).to.deep.equal([
      { type: 'public-key', id: passkey?.id, transports: ['hybrid', 'internal'] },
    ])
    await kennel.account(EVE)
    const eve = presentedBy(await kennel.login(EVE))
    expect(await codeOf(kennel.useCases.beginPasskeyConfirmation(eve))).to.equal('not-found')
  })

  it('refuses a passkey of another account, a response for another session or for a login, and an unverified user', async () => {
    const { kennel, presented, authenticator, respond, confirm } = await start()
    const eve = createAuthenticator()
    await passkeyHolder(kennel, EVE, eve)
    const confirmWith = (passkey: Awaited<ReturnType<typeof respond>>) =>
      refused(kennel.useCases.confirmLogin({ passkey, presented }))
    const options = await kennel.useCases.beginPasskeyConfirmation(presented)
    await kennel.audited()
    expect(await confirmWith(eve.get(options))).to.deep.equal(NOT_VALID)
    expect(await kennel.audited()).to.deep.equal(['login.confirm account:1 account:1 failure'])
    const other = presentedBy(await kennel.login(ADA))
    expect(await confirmWith(await respond({}, other))).to.deep.equal(NOT_VALID)
    const login = await kennel.useCases.beginPasskeyLogin({ presented: {} })
    expect(await confirmWith(authenticator.get(login.options))).to.deep.equal(NOT_VALID)
    expect(await refused(confirm({ isVerified: false }))).to.deep.equal(NOT_VALID)
    expect(await refused(confirm({ origin: 'https://evil.example' }))).to.deep.equal(NOT_VALID)
    // Wrong passkey responses are limited in the same way as wrong codes.
    expect(await codeOf(confirm())).to.equal('too-many-attempts')
    kennel.clock.now += 15 * MINUTE
    await confirm()
  })

  it('succeeds once if 16 callers present the same response concurrently', async () => {
    const { kennel, presented, respond } = await start()
    const passkey = await respond()
    const outcomes = await Promise.allSettled(
      Array.from({ length: 16 }, () => kennel.useCases.confirmLogin({ passkey, presented })),
    )
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
  })

  it('does not revive a login that ends at the same time', async () => {
    const gate = createGate()
    let isHeld = false
    const aroundStore = watching(async (name, run) => {
      const answer = await run()
      if (isHeld && name === 'passkeys.use') await gate.pass()
      return answer
    })
    const store = createMemoryStore()
    const { kennel, issued, presented, respond } = await start({
      mode: 'stateful',
      store: aroundStore(store),
    })
    const passkey = await respond()
    isHeld = true
    const confirming = codeOf(kennel.useCases.confirmLogin({ passkey, presented }))
    await gate.reached
    await store.sessions.end(issued.identity.sessionId as SessionId)
    gate.release()
    expect(await confirming).to.equal('invalid-token')
    expect(await codeOf(kennel.useCases.getIdentity(presented))).to.equal('invalid-token')
  })

  it('does not revive a stateless login from before a password change', async () => {
    const { kennel, confirm } = await start({ mode: 'stateless' })
    await kennel.useCases.setPassword({ caller: OPERATOR, email: ADA, password: 'another long password' })
    expect(await codeOf(confirm())).to.equal('invalid-token')
  })

  it('is forbidden during an impersonation, and without a login', async () => {
    const { kennel, respond } = await start()
    const actor = await acting(kennel)
    expect(await codeOf(kennel.useCases.beginPasskeyConfirmation(actor))).to.equal('forbidden')
    const passkey = await respond()
    expect(await codeOf(kennel.useCases.confirmLogin({ passkey, presented: actor }))).to.equal('forbidden')
    expect(await codeOf(kennel.useCases.confirmLogin({ passkey, presented: {} }))).to.equal('unauthenticated')
  })
})
