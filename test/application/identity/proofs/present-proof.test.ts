import { expect } from 'chai'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import { PROOF_LIFETIMES, type PresentedPurpose } from '../../../../src/domain/identity/proof.js'
import { PROOFS_PERMITTED, type ComposedProofs } from '../../../support/mail/composed-proofs.js'
import { fragmentOf, linkIn } from '../../../support/mail/postbox.js'
import * as flows from '../../../support/mail/proof-flows.js'
import { PASSWORD, presentedBy } from '../../../support/use-cases.js'

const { CODE_NOT_VALID, confirmed, eachPrepared, issued, NOT_VALID, prepared, PURPOSES } = flows

describe('an email proof of any purpose', () => {
  it('is used up by only one of 16 concurrent calls', async () => {
    for await (const { purpose, confirm, byToken } of eachPrepared(PURPOSES, { hashConcurrency: 16 })) {
      const outcomes = await Promise.all(Array.from({ length: 16 }, () => confirm(byToken)))
      expect(outcomes.toSorted(), purpose).to.deep.equal(['done', ...Array<string>(15).fill(NOT_VALID)])
      expect(await confirm(byToken), purpose).to.equal(NOT_VALID)
    }
  })

  it('is refused by the operations of every other purpose, and remains valid', async () => {
    // An invitation is accepted by the operation that confirms a sign-up.
    const operationOf = (purpose: PresentedPurpose) => (purpose === 'invitation' ? 'sign-up' : purpose)
    for await (const { purpose, confirm, byToken, byCode, ...kennel } of eachPrepared()) {
      for (const other of PURPOSES.filter((one) => operationOf(one) !== operationOf(purpose))) {
        expect(await confirmed(kennel, other, byToken), `${purpose} at ${other}`).to.equal(NOT_VALID)
        if (byCode.code !== '' && other !== 'undo-email')
          expect(await confirmed(kennel, other, byCode), `${purpose} at ${other}`).to.equal(CODE_NOT_VALID)
      }
      expect(await confirm(byToken), purpose).to.equal('done')
    }
  })

  it('is valid until the last millisecond of its lifetime', async () => {
    for (const [early, outcome] of [
      [1, 'done'],
      [0, NOT_VALID],
    ] as const) {
      for await (const { purpose, clock, confirm, byToken } of eachPrepared()) {
        clock.now += PROOF_LIFETIMES[purpose] - early
        expect(await confirm(byToken), purpose).to.equal(outcome)
      }
    }
  })

  it('is stored without a secret, and only its token is accepted, not any other value from the store, the cookie or the email', async () => {
    for await (const { purpose, store, confirm, byToken, byCode } of eachPrepared()) {
      const [proof] = await store.proofs.page(purpose, undefined, 9)
      const { token, browserSecret } = byToken
      for (const secret of [token, byCode.code || token, browserSecret ?? token])
        expect(JSON.stringify(proof)).to.not.include(secret)
      for (const wrong of [
        ...[proof?.digest, proof?.binding, proof?.codeHash, proof?.id, browserSecret, byCode.code],
        ...[token.slice(0, -1), ` ${token}`, `${token}\n`, token.repeat(300), '\u0000', '\ud83d'],
      ].filter((one) => one !== undefined && one !== ''))
        expect(await confirm({ token: wrong, browserSecret }), wrong).to.equal(NOT_VALID)
      for (const nothing of [{}, { token: '', code: '' }, { browserSecret }])
        expect(await confirm(nothing), purpose).to.equal('invalid token required')
      expect(await confirm({ token: 7 })).to.include('malformed token')
      expect(await confirm(byToken), purpose).to.equal('done')
    }
  })

  it('is not used up if too many passwords are being hashed', async () => {
    const hasher = flows.busyHasher()
    for (const [purposes, form] of [
      [['sign-up', 'invitation'], 'byToken'],
      [CODED, 'byCode'],
    ] as const)
      for await (const { confirm, ...secrets } of eachPrepared(purposes, hasher)) {
        hasher.isBusy = true
        expect(await confirm(secrets[form]), secrets.purpose).to.equal('overloaded  busy')
        hasher.isBusy = false
        expect(await confirm(secrets[form]), secrets.purpose).to.equal('done')
      }
  })
})

const NEXT = 'a password of tomorrow'
const email = '1'
/** Ways in which an owner or an operator takes back an account that an attacker created or used. */
const RECOVERIES: Readonly<Record<string, (kennel: ComposedProofs) => Promise<unknown>>> = {
  'the password is changed': async ({ useCases, login }) => {
    const { email: own } = await useCases.getUser({ caller: OPERATOR, email })
    const presented = presentedBy(await login(own))
    await useCases.changePassword({ password: PASSWORD, newPassword: NEXT, presented })
  },
  'an operator sets a new password': ({ useCases }) =>
    useCases.setPassword({ caller: OPERATOR, email, password: NEXT }),
  'the password is reset': async ({ useCases, mails, postbox }) => {
    await useCases.sendResetMail({ caller: OPERATOR, email })
    await mails().sendMails()
    const { email: own, resetToken } = fragmentOf(linkIn(postbox.arrived.at(-1)))
    await useCases.consumeResetToken({ email: own, resetToken, password: NEXT, presented: {} })
  },
  'an operator changes the email': ({ useCases }) =>
    useCases.changeUserEmail({ caller: OPERATOR, email, newEmail: 'augusta@example.com' }),
  'the account is disabled and enabled': async ({ useCases }) => {
    await useCases.disableUser({ caller: OPERATOR, email })
    await useCases.enableUser({ caller: OPERATOR, email })
  },
  'the account is removed': ({ useCases }) => useCases.deleteUser({ caller: OPERATOR, email }),
}
/** A thief who knows the password can do none of these. */
const ENDS_UNDO = ['an operator changes the email', 'the account is removed']

const FAILURES: Readonly<Record<PresentedPurpose, readonly string[]>> = {
  'sign-up': ['sign-up anonymous - failure'],
  invitation: ['sign-up anonymous - failure'],
  'change-email': ['email.change anonymous - failure', 'email.change anonymous account:1 failure'],
  'undo-email': ['email.undo anonymous - failure'],
  login: ['login anonymous - failure', 'login anonymous account:1 failure'],
}

describe('a wrong email proof', () => {
  it("is audited as a failed operation, with the proof's account", async () => {
    for await (const { purpose, confirm, byCode, audited } of eachPrepared()) {
      await audited()
      for (const wrong of [{ token: WRONG }, { ...byCode, code: WRONG }]) await confirm(wrong)
      expect(await audited(), purpose).to.deep.equal(FAILURES[purpose])
    }
  })
})

describe('an email proof that belongs to an account', () => {
  const { everyone, ...others } = PROOFS_PERMITTED.roles
  const auth = [...(everyone?.components?.['auth'] ?? []), 'reset-password']
  const permissions = {
    roles: { ...others, everyone: { components: { ...everyone?.components, auth } } },
  }

  for (const [name, recover] of Object.entries(RECOVERIES)) {
    const isUndoKept = !ENDS_UNDO.includes(name)
    const exception = isUndoKept ? ', unless it undoes an email change' : ''
    it(`stops working if ${name}${exception}; every earlier login ends`, async () => {
      for await (const kennel of eachPrepared(['change-email', 'undo-email', 'login'], { permissions })) {
        const { purpose, confirm, byToken } = kennel
        const login = await kennel.login(purpose === 'undo-email' ? flows.NEW : flows.ADA)
        await recover(kennel)
        const survives = purpose === 'undo-email' && isUndoKept
        expect(await flows.isLoggedIn(kennel, login), purpose).to.equal(false)
        expect(await confirm(byToken), purpose).to.equal(survives ? 'done' : NOT_VALID)
      }
    })
  }
})

const CODED = ['sign-up', 'change-email', 'login'] as const
const WRONG = 'ABCDEFGH'

describe('the code in an email proof', () => {
  it('is accepted in any spelling, but only in the requesting browser, and stops working after five guesses', async () => {
    for (const [guesses, outcome] of [
      [4, 'done'],
      [5, CODE_NOT_VALID],
    ] as const)
      for await (const { purpose, confirm, byToken, byCode } of eachPrepared(CODED, { hashConcurrency: 9 })) {
        const { code, browserSecret } = byCode
        for (const other of [undefined, '', code, 'x'.repeat(43)])
          expect(await confirm({ code, browserSecret: other })).to.equal(CODE_NOT_VALID)
        await Promise.all(Array.from({ length: guesses }, () => confirm({ ...byCode, code: WRONG })))
        const typed = ` ${code.slice(0, 4).toLowerCase()}-${code.slice(4)}\n`
        expect(await confirm({ code: typed, browserSecret }), purpose).to.equal(outcome)
        expect(await confirm(byToken), purpose).to.equal(outcome === 'done' ? NOT_VALID : 'done')
      }
  })

  it('is compared with at most five of 16 concurrent guesses, and each guess costs one hash', async () => {
    const hashes: (string | undefined)[] = []
    const { store, confirm, byCode } = await prepared('login', {
      hashConcurrency: 16,
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: async (...given) => {
          hashes.push(given[1])
          return await hasher.verify(...given)
        },
      }),
    })
    const [proof] = await store.proofs.page('login', undefined, 9)
    const guess = (browserSecret = byCode.browserSecret) => confirm({ code: WRONG, browserSecret })
    await Promise.all(Array.from({ length: 16 }, () => guess()))
    await guess('of no proof')
    expect(hashes).to.have.lengthOf(17)
    expect(hashes.filter((hash) => hash === proof?.codeHash)).to.have.lengthOf(5)
  })

  it('counts as a failed login from the network if it is wrong, regardless of the cookie and the purpose', async () => {
    const loginLimit = { count: 1, window: 60_000 }
    for await (const { purpose, confirm, byToken, byCode } of eachPrepared(CODED, { loginLimit })) {
      const presented = { client: { address: '198.51.100.7' } }
      const guess = (browserSecret: string) => confirm({ code: WRONG, browserSecret, presented })
      for (let n = 0; n < 5; n += 1) expect(await guess(`browser ${n}`)).to.equal(CODE_NOT_VALID)
      expect(await guess('another browser'), purpose).to.include('too-many-attempts')
      expect(await confirm({ ...byCode, presented }), purpose).to.include('too-many-attempts')
      expect(await confirm({ ...byToken, presented }), purpose).to.equal('done')
    }
  })

  it('cannot be used or guessed in another browser that requested the same email', async () => {
    for await (const { clock, confirm, byCode: own, ...kennel } of eachPrepared(['sign-up', 'login'])) {
      clock.now += 60_000
      const { byCode: other } = await issued({ ...kennel, clock }, kennel.purpose)
      for (let n = 0; n < 6; n += 1)
        expect(await confirm({ ...other, code: own.code })).to.equal(CODE_NOT_VALID)
      expect(await confirm(other)).to.equal(CODE_NOT_VALID)
      expect(await confirm({ ...own, code: other.code })).to.equal(CODE_NOT_VALID)
      expect(await confirm(own)).to.equal('done')
    }
  })
})
