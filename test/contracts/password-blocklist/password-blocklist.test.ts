import { createPasswordBlocklist } from '../../../src/adapters/blocklist/password-blocklist.js'
import { passwordBlocklistLaws } from '../../../src/contracts/index.js'
import type { PasswordBlocklist } from '../../../src/ports/passwords.js'
import { PlantedError, describePartLaws, type BrokenPart } from '../describe-laws.js'

const sound = createPasswordBlocklist({ names: ['kennel', 'pets.example'] })

const refusing = (
  name: string,
  breaks: RegExp,
  refuses: PasswordBlocklist['refuses'],
): BrokenPart<PasswordBlocklist> => ({ name, breaks, open: () => ({ refuses }) })

const broken: readonly BrokenPart<PasswordBlocklist>[] = [
  refusing(
    'nothing is rejected',
    /the most common|common passwords are|a password that hardly/,
    async () => undefined,
  ),
  refusing(
    'a password that contains a common password is rejected',
    /a strong password/,
    async (password, context) =>
      password.includes('123456') ? 'too-common' : await sound.refuses(password, context),
  ),
  refusing('the email is ignored', /a password that hardly/, (password) => sound.refuses(password, {})),
  refusing('the email of another call is used', /a password that resembles|each of 16/, (password, context) =>
    sound.refuses(password, { ...context, email: 'quentin.oxbridge-9@hollyhock.test' as never }),
  ),
  refusing('a password is used as a pattern', /every password/, async (password, context) => {
    try {
      new RegExp(password)
    } catch {
      throw new PlantedError('no pattern')
    }
    return await sound.refuses(password, context)
  }),
]

describePartLaws('password blocklist', {
  laws: passwordBlocklistLaws,
  sound: { 'the built-in blocklist': () => sound },
  broken,
})
