import { expect } from 'chai'
import { createMemoryStore } from '../../../../src/adapters/memory/store.js'
import { factorHolder } from '../../../support/factor.js'
import { createPostbox, ownTemplates } from '../../../support/mail/postbox.js'
import { SELF_SERVICE } from '../../../support/permissions.js'
import { codeOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../../support/use-cases.js'
import { createGate, watching } from '../../../support/watched-store.js'

const ADA = 'ada@example.com'
const EMAILS = [ADA, 'stranger@example.com', 'ADA@Example.com', 'no email']
const client = { address: '192.0.2.1' }
const password = 'a wrong password'
const COUNT = 3

/** Creates a service with Ada's account; `take` returns the names of the store calls since the previous `take`. */
async function watched(options: Parameters<typeof composeUseCases>[0] = {}) {
  const calls: string[] = []
  const store = watching((name, run) => {
    calls.push(name)
    return run()
  })(createMemoryStore())
  const mail = { mailer: createPostbox().mailer, templates: ownTemplates() }
  const loginLimit = { count: COUNT, window: 60_000 }
  const given = { store, loginLimit, permissions: SELF_SERVICE, mail, mode: 'stateful' } as const
  const kennel = await composeUseCases({ ...given, ...options })
  return { kennel, take: () => calls.splice(0).filter((name) => !name.startsWith('attempts.')) }
}

/** Attempts with an email that an anonymous caller chooses. */
const BY_EMAIL: Readonly<Record<string, (kennel: Composed, email: string) => Promise<unknown>>> = {
  'a login': ({ useCases }, email) => useCases.login({ email, password, presented: { client } }),
  'HTTP Basic': ({ useCases }, email) =>
    useCases.authenticatePetClient({ basic: { email, password }, client }),
  'HTTP Basic with text that cannot be a password': ({ useCases }, email) =>
    useCases.authenticatePetClient({ basic: { email, password: '\u0000' }, client }),
  'a reset token': ({ useCases }, email) =>
    useCases.consumeResetToken({ email, resetToken: 'none', password, presented: { client } }),
  'a request for a reset mail': ({ useCases }, email) =>
    useCases.requestPasswordReset({ email, presented: { client } }),
}

type Caller = {
  readonly presented: object
  /** The login of an account whose second factor is not confirmed. */
  readonly unconfirmed: object
  readonly code: () => string
}

/** Attempts by a logged-in caller: with the right code if the password is counted, otherwise with a wrong code. */
const BY_LOGIN: Readonly<Record<string, (kennel: Composed, caller: Caller) => Promise<unknown>>> = {
  'a change of the password': ({ useCases }, { presented }) =>
    useCases.changePassword({ password, newPassword: 'a password of tomorrow', presented }),
  'the deletion of an account': ({ useCases }, { presented, code }) =>
    useCases.deleteAccount({ password, code: code(), presented }),
  'the export of an account': ({ useCases }, { presented, code }) =>
    useCases.exportAccount({ password, code: code(), presented }),
  'a confirmation of the login': ({ useCases }, { presented, code }) =>
    useCases.confirmLogin({ password, code: code(), presented }),
  'a new second factor': ({ useCases }, { presented }) => useCases.setUpSecondFactor({ password, presented }),
  'the removal of a second factor': ({ useCases }, { presented, code }) =>
    useCases.removeSecondFactor({ password, code: code(), presented }),
  'new recovery codes': ({ useCases }, { presented, code }) =>
    useCases.renewRecoveryCodes({ password, code: code(), presented }),
  'a code that confirms a second factor': ({ useCases }, { unconfirmed: presented }) =>
    useCases.confirmSecondFactor({ code: '000000', presented }),
}

/** Repeats this attempt until its limit is reached; the limit for codes is five. */
async function reachLimit(attempt: () => Promise<unknown>): Promise<void> {
  for (let tries = 0; tries < 6 * COUNT; tries += 1) await attempt().catch(() => undefined)
  expect(await codeOf(attempt())).to.equal('too-many-attempts')
}

describe('an attempt above a limit', () => {
  for (const [name, attempt] of Object.entries(BY_EMAIL))
    it(`is refused without a store read: ${name}`, async () => {
      const { kennel, take } = await watched()
      await kennel.account(ADA)
      for (const email of EMAILS) {
        if (email === 'no email' && !name.startsWith('HTTP Basic')) continue
        await reachLimit(() => attempt(kennel, email))
        take()
        expect(await codeOf(attempt(kennel, email))).to.equal('too-many-attempts')
        expect(take(), email).to.deep.equal([])
      }
    })

  for (const [name, attempt] of Object.entries(BY_LOGIN))
    it(`is refused after reading only the caller's login: ${name}`, async () => {
      const { kennel, take } = await watched()
      const holder = await factorHolder(kennel, ADA)
      await kennel.account('bob@example.com')
      const unconfirmed = { ...presentedBy(await kennel.login('bob@example.com')), client }
      await kennel.useCases.setUpSecondFactor({ password: PASSWORD, presented: unconfirmed })
      const presented = { ...presentedBy(holder.issued), client }
      const caller = { presented, unconfirmed, code: () => holder.code(1) }
      await reachLimit(() => attempt(kennel, caller))
      take()
      expect(await codeOf(attempt(kennel, caller))).to.equal('too-many-attempts')
      expect([...new Set(take())]).to.deep.equal(['sessions.find'])
    })
})

describe('HTTP Basic authentication while too many verifications are waiting', () => {
  it('is refused without a store read', async () => {
    const gate = createGate()
    const { kennel, take } = await watched({
      loginLimit: { count: 1_000, window: 60_000 },
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: async (...given) => {
          await gate.pass()
          return await hasher.verify(...given)
        },
      }),
    })
    await kennel.account(ADA)
    const guess = (email: string, n: number | string) =>
      kennel.useCases.authenticatePetClient({ basic: { email, password: `guess ${n}` }, client })
    // Now one verification is running, and 16 are waiting.
    const waiting = Array.from({ length: 17 }, (_, n) => guess(ADA, n).catch(() => undefined))
    await gate.reached
    take()
    for (const email of EMAILS) {
      expect(await codeOf(guess(email, 'last'))).to.equal('overloaded')
      expect(take(), email).to.deep.equal([])
    }
    gate.release()
    await Promise.all(waiting)
  })
})
