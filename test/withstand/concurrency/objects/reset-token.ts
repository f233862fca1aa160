import type { Account } from '../../../../src/domain/identity/account.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { MailJobId } from '../../../../src/domain/mail.js'
import { createResetTokens } from '../../../../src/adapters/keyring/index.js'
import { RESET_PASSWORD } from '../../../support/http/resetting.js'
import type { Begin } from '../course.js'
import { freshAccount, statusOf } from '../identity.js'
import { accountSpecification, type Input, type Output, type State } from './account.js'
import { createAccountClient, type AccountStep } from './account-client.js'

const HOUR = 3_600_000

/** One account whose password is reset with a few tokens, which many clients have. */
export const beginResetToken: Begin<State, Input, Output> = async (parts) => {
  const { place, calls, random } = parts
  const { accounts } = place.kennel.store
  const email = await freshAccount(place)
  const client = createAccountClient(parts, email)
  const resetTokens = createResetTokens()
  const tokens = new Map<string, string>()
  const issue = (): AccountStep => {
    const name = `t${String(tokens.size + 1)}`
    const token = resetTokens.fresh()
    tokens.set(name, token)
    return {
      input: { kind: 'token is issued', token: name },
      run: async () => {
        const { id, epoch } = (await accounts.findByEmail(email as Email)) as Account
        const until = place.kennel.clock.now + HOUR
        const issued = {
          digest: resetTokens.digest(token),
          until,
          mailJobId: `${email} ${name}` as MailJobId,
        }
        return { status: (await accounts.issueResetToken(id, epoch, issued)) === 'issued' ? 200 : 409 }
      },
    }
  }
  const consume = (number: number): AccountStep => {
    const names = [...tokens.keys()]
    const token = random.pick(random.chance(0.8) ? names.slice(-3) : names)
    const next = client.nextPassword()
    const json = { email, resetToken: tokens.get(token), password: client.passwordOf(next) }
    return {
      input: { kind: 'consume', token, next },
      run: async () => {
        const output = statusOf(await calls.send(number, 'POST', RESET_PASSWORD, { json }))
        if (output?.status === 200) client.wasSet(next)
        return output
      },
    }
  }
  return {
    specification: accountSpecification,
    next: (number) => {
      const share = random.next()
      if (tokens.size === 0 || share < 0.15) return issue()
      if (share < 0.6) return consume(number)
      return share < 0.8 ? client.login(number) : client.getIdentity(number)
    },
  }
}
