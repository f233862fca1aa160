import { expect } from 'chai'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { JsonObject } from '../../../../src/domain/identity/json-object.js'
import { collectingLog } from '../../../support/log-collector.js'
import { createPostbox, ownTemplates } from '../../../support/mail/postbox.js'
import {
  createAuthenticator,
  RP_ID,
  type Authenticator,
  type Misbehaviour,
} from '../../../support/passkey-authenticator.js'
import { passkeyHolder, passkeyLogin } from '../../../support/passkeys.js'
import { refusalOf, wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../../support/use-cases.js'
import { recordingStore } from '../../../support/watched-store.js'

const ADA = 'ada@example.com'
const EVE = 'eve@example.com'

type Login = { readonly kennel: Composed; readonly authenticator: Authenticator }
type Begun = { readonly options: JsonObject; readonly browserSecret: string }

const begin = ({ useCases }: Composed) => useCases.beginPasskeyLogin({ presented: {} })
const present = ({ useCases }: Composed, credential: JsonObject, browserSecret: string) =>
  useCases.loginWithPasskey({ credential, browserSecret, presented: {} })

const misbehaving =
  (changes: Misbehaviour) =>
  async ({ kennel, authenticator }: Login) =>
    await passkeyLogin(kennel, authenticator, changes)

/** Begins a login, applies `change` to its challenge or browser secret, and presents the response. */
const begunWith = (change: (begun: Begun, login: Login) => Promise<Begun>) => async (login: Login) => {
  const { options, browserSecret } = await change(await begin(login.kennel), login)
  return await present(login.kennel, login.authenticator.get(options), browserSecret)
}

/** Attacks on the account `ADA` with a passkey, all of which get the same reply. */
const ATTACKS: Readonly<Record<string, (login: Login) => Promise<unknown>>> = {
  'an unverified user': misbehaving({ isVerified: false }),
  'the user handle of another account': misbehaving({ handle: Buffer.from('2').toString('base64url') }),
  'a challenge of another browser': begunWith(async (begun, { kennel }) => ({
    ...begun,
    browserSecret: (await begin(kennel)).browserSecret,
  })),
  'a replayed response': async ({ kennel, authenticator }) => {
    const { options, browserSecret } = await begin(kennel)
    const credential = authenticator.get(options)
    await present(kennel, credential, browserSecret)
    return await present(kennel, credential, browserSecret)
  },
  'a disabled account': async ({ kennel, authenticator }) => {
    await kennel.useCases.disableUser({ caller: OPERATOR, email: ADA })
    return await passkeyLogin(kennel, authenticator)
  },
  'an unknown passkey': async ({ kennel }) => {
    const stranger = createAuthenticator()
    stranger.create({ rp: { id: RP_ID }, user: { id: 'MQ' } }, { algorithm: -7 })
    return await passkeyLogin(kennel, stranger)
  },
}

describe('proving a passkey', () => {
  for (const [what, attack] of Object.entries(ATTACKS)) {
    it(`fails with the same reply for ${what}`, async () => {
      const kennel = await composeUseCases({ passkeys: true })
      const { authenticator } = await passkeyHolder(kennel, ADA)
      await kennel.account(EVE)
      const { code, messages } = await refusalOf(attack({ kennel, authenticator }))
      expect([code, messages]).to.deep.equal([
        'login-failed',
        [{ field: 'passkey', type: 'LoginFailed', message: 'Login Failed' }],
      ])
    })
  }

  it('makes the same store calls for a disabled account and an unknown passkey', async () => {
    const { store, calls } = recordingStore()
    const kennel = await composeUseCases({ passkeys: true, store })
    const { authenticator } = await passkeyHolder(kennel, ADA)
    const callsOf = async (attack: string) => {
      calls.length = 0
      await refusalOf(ATTACKS[attack]?.({ kennel, authenticator }) as Promise<unknown>)
      return calls.slice(calls.indexOf('passkeys.find'))
    }
    const unknown = await callsOf('an unknown passkey')
    expect(unknown).to.deep.equal(['passkeys.find', 'accounts.find', 'audit.append'])
    expect(await callsOf('a disabled account')).to.deep.equal(unknown)
  })

  it('audits, logs and reports a signature counter that decreased, and accepts the next counter', async () => {
    const { log, lines } = collectingLog()
    const mail = { mailer: createPostbox().mailer, templates: ownTemplates() }
    const kennel = await composeUseCases({ passkeys: true, log, mail, notices: ['passkey'] })
    const authenticator = createAuthenticator({ counts: true })
    await passkeyHolder(kennel, ADA, authenticator)
    await passkeyLogin(kennel, authenticator)
    await passkeyLogin(kennel, authenticator)
    await kennel.audited()
    for (const counter of [2, 1, 0])
      expect(await wordsOf(passkeyLogin(kennel, authenticator, { counter }))).to.match(
        /^login-failed .*the signature counter decreased/,
      )
    expect((await kennel.audited()).slice(0, 2)).to.deep.equal([
      'passkey.clone anonymous account:1 failure',
      'login anonymous account:1 failure',
    ])
    const warnings = lines.filter(({ event }) => event === 'passkey')
    expect(warnings.map(({ level, fields }) => [level, fields['accountId']])).to.deep.equal(
      [1, 2, 3].map(() => ['warn', 1]),
    )
    const mails = await kennel.store.mailQueue.listTo(ADA as Email)
    expect(mails.map(({ kind, about }) => [kind, about])).to.deep.equal(
      ['added', 'clone', 'clone', 'clone'].map((about) => ['passkey-changed', about]),
    )
    await passkeyLogin(kennel, authenticator, { counter: 9 })
  })

  it('counts failures by passkey and network, and refunds successes', async () => {
    const kennel = await composeUseCases({ passkeys: true, loginLimit: { count: 2, window: 60_000 } })
    const { authenticator } = await passkeyHolder(kennel, ADA)
    for (let login = 0; login < 3; login += 1) await passkeyLogin(kennel, authenticator)
    const presented = { client: { address: '192.0.2.1' } }
    const attempt = async (changes: Misbehaviour) => {
      const { options, browserSecret } = await begin(kennel)
      const credential = authenticator.get(options, changes)
      return await kennel.useCases.loginWithPasskey({ credential, browserSecret, presented })
    }
    for (const outcome of ['login-failed', 'login-failed', 'too-many-attempts'])
      expect((await refusalOf(attempt({ isVerified: false }))).code).to.equal(outcome)
    expect((await refusalOf(attempt({}))).code).to.equal('too-many-attempts')
    const { options, browserSecret } = await begin(kennel)
    const malformed = { ...authenticator.get(options), id: '' }
    for (const outcome of ['login-failed', 'login-failed', 'too-many-attempts']) {
      const call = kennel.useCases.loginWithPasskey({ credential: malformed, browserSecret, presented })
      expect((await refusalOf(call)).code).to.equal(outcome)
    }
    // Wrong passkeys do not block the password, and wrong passwords do not block the passkey.
    await kennel.login(ADA)
    kennel.clock.now += 60_000
    await attempt({})
  })
})
