import { createPasswordBlocklist } from '../../../src/adapters/blocklist/index.js'
import { passwordBlocklistLaws } from '../../../src/contracts/index.js'
import type { PasswordBlocklist } from '../../../src/ports/password-blocklist.js'
import { describePartLaws, PartFailure, type BrokenPart } from '../describe-part-laws.js'

const sound = createPasswordBlocklist({ names: ['kennel', 'pets.example'] })

const COMMONEST = 'the commonest passwords are refused as too common, with any email'
const CASE = 'case makes no other password'
const GOOD = 'a good password is refused to no user, also where it holds a common one'
const EMAIL = 'what is little more than the email of the account is refused'
const OTHER = 'another email is no context'
const EVERY = 'every password gets an answer, and the same one again'
const OWN_ANSWER = 'of 16 questions at once each gets its own answer'

const refusing = (refuses: PasswordBlocklist['refuses']): PasswordBlocklist => ({ refuses })

const broken: readonly BrokenPart<PasswordBlocklist>[] = [
  {
    name: 'nothing is refused',
    breaks: [COMMONEST, CASE, EMAIL],
    open: () => refusing(async () => undefined),
  },
  {
    name: 'a password that holds a common one is refused',
    breaks: [GOOD],
    open: () =>
      refusing(async (password, context) =>
        password.includes('123456') ? 'too-common' : await sound.refuses(password, context),
      ),
  },
  {
    name: 'the email is not looked at',
    breaks: [EMAIL],
    open: () => refusing(async (password) => await sound.refuses(password, {})),
  },
  {
    name: 'the first email is remembered',
    breaks: [OTHER, OWN_ANSWER],
    open: () => {
      let first: Parameters<PasswordBlocklist['refuses']>[1] = {
        email: 'quentin.oxbridge-9@hollyhock.test' as never,
      }
      return refusing(async (password, context) => {
        first = { ...context, ...first }
        return await sound.refuses(password, first)
      })
    },
  },
  {
    name: 'a password becomes a pattern',
    breaks: [EVERY],
    open: () =>
      refusing(async (password, context) => {
        try {
          new RegExp(password)
        } catch {
          throw new PartFailure('no pattern')
        }
        return await sound.refuses(password, context)
      }),
  },
]

describePartLaws('password blocklist', {
  laws: passwordBlocklistLaws,
  sound: { 'the built-in one': () => sound },
  broken,
})
