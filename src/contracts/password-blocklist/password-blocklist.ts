import assert from 'node:assert/strict'
import type { Email } from '../../domain/identity/email.js'
import type { Password } from '../../domain/identity/password.js'
import { PASSWORD_OBJECTIONS, type PasswordBlocklist } from '../../ports/passwords.js'
import { race, statementOf, type PortLaw } from '../law.js'

const law = statementOf<'passwordBlocklist', PasswordBlocklist>('passwordBlocklist')

/** Passwords at the top of every published list of common passwords. */
const COMMONEST = ['123456', 'password', '12345678', 'qwerty', '123456789', '111111']
const GOOD = [
  ...['nine teal anvils hum below', 'x7#Vq2!mZr9&Lw', '犬と猫が七匹いる庭', 'password of a walrus that hums'],
  ...['my 123456 umbrellas', 'nine teal\nanvils hum'],
  '\u{1f436} \u{1f431} \u{1f439} \u{1f430} \u{1f99c} \u{1f422} \u{1f98e} \u{1f40d}',
  'anvil walrus '.repeat(78),
]
const ODD = ['\n', '123456\npassword', ' ', '.', '*', 'x', '\u0301', '\u00ad', '\u202e', 'A'.repeat(1_024)]

const EMAIL = 'quentin.oxbridge-9@hollyhock.test' as Email
const OTHER = 'rex@kennels.test' as Email
const LIKE_EMAIL = [
  ...['quentin.oxbridge-9@hollyhock.test', 'quentin.oxbridge-9', 'Quentin.Oxbridge!', 'oxbridge2026'],
  ...['1hollyhock1', '7-QUENTIN-oxbridge-7'],
]

/** Contract tests for every `PasswordBlocklist`. All checks may use the same blocklist. */
export const passwordBlocklistLaws: readonly PortLaw<'passwordBlocklist', PasswordBlocklist>[] = [
  law('the most common passwords are rejected as too common, with any email')
    .protects('An attacker cannot log in with one of the most common passwords.')
    .check(async (blocklist) => {
      for (const email of [undefined, EMAIL]) await assertAnswers(blocklist, COMMONEST, 'too-common', email)
    }),
  law('common passwords are rejected regardless of case')
    .protects('Attackers also try capital letters.')
    .check(async (blocklist) => {
      await assertAnswers(blocklist, ['PASSWORD', 'Password', 'pAsSwOrD', 'QWERTY', 'Qwerty'], 'too-common')
    }),
  law('a strong password is accepted, even if it contains a common password')
    .protects('A user can choose any strong password.')
    .check(async (blocklist) => {
      for (const email of [undefined, EMAIL]) await assertAnswers(blocklist, GOOD, undefined, email)
    }),
  law("a password that hardly differs from the account's email is rejected")
    .protects('An attacker who knows the email cannot derive the password from it.')
    .check(async (blocklist) => {
      await assertAnswers(blocklist, LIKE_EMAIL, 'too-close-to-context', EMAIL)
    }),
  law('a password that resembles the email of another account is accepted')
    .protects("A password may contain names that are not in the user's own email.")
    .check(async (blocklist) => {
      for (const email of [undefined, OTHER]) await assertAnswers(blocklist, LIKE_EMAIL, undefined, email)
    }),
  law('every password gets a verdict, and a repeated check returns the same verdict')
    .protects('No password that a client chooses makes the service fail.')
    .check(async (blocklist) => {
      for (const text of ODD) {
        const first = await objection(blocklist, text, EMAIL)
        assert.ok(first === undefined || PASSWORD_OBJECTIONS.includes(first), JSON.stringify(text))
        assert.equal(await objection(blocklist, text, EMAIL), first, JSON.stringify(text))
      }
    }),
  law('each of 16 concurrent calls gets the verdict on the password it passed')
    .protects('Concurrent users do not affect each other.')
    .check(async (blocklist) => {
      const cases = [
        ['123456', undefined, 'too-common'],
        ['quentin.oxbridge-9', EMAIL, 'too-close-to-context'],
        ['quentin.oxbridge-9', OTHER, undefined],
        ['nine teal anvils hum below', EMAIL, undefined],
      ] as const
      const caseOf = (caller: number) => cases[caller % cases.length] ?? cases[0]
      const answers = await race((caller) => {
        const [text, email] = caseOf(caller)
        return objection(blocklist, text, email)
      })
      assert.deepEqual(
        answers,
        answers.map((_, caller) => caseOf(caller)[2]),
      )
    }),
]

async function assertAnswers(
  blocklist: PasswordBlocklist,
  texts: readonly string[],
  expected: string | undefined,
  email?: Email,
): Promise<void> {
  for (const text of texts) assert.equal(await objection(blocklist, text, email), expected, text)
}

async function objection(blocklist: PasswordBlocklist, text: string, email?: Email) {
  return await blocklist.refuses(text as Password, email === undefined ? {} : { email })
}
