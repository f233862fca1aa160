import type { Account } from '../../domain/identity/account.js'
import type { Accounts } from '../../ports/accounts.js'
import {
  answers,
  array,
  asked,
  list,
  optional,
  outcome,
  positive,
  text,
  trueOrFalse,
  word,
  type Answer,
  type Flaw,
  type PortShape,
} from './shape.js'

/** What is wrong with an account that was answered; `prefix` is where it stands in the answer. */
export function accountFlaw({ id, email, epoch, roles }: Account, prefix = ''): Flaw | undefined {
  const flaw = positive(id, 'id') ?? text(email, 'email') ?? positive(epoch, 'epoch') ?? array(roles, 'roles')
  return flaw && { ...flaw, member: `${prefix}${flaw.member}` }
}

/** With the wrong account a user would be logged in as another one. */
function accountWith(member: 'id' | 'email'): Answer<false> {
  return answers(
    `the account with this ${member}, or undefined`,
    optional((answer, _, wanted) => {
      const account = answer as Account
      return accountFlaw(account) ?? askedFor(account, member, wanted)
    }),
  )
}

/** By email also an account that shares the canonical email, or has the email in the form of an earlier release. */
function askedFor(account: Account, member: 'id' | 'email', [wanted, former]: readonly unknown[]) {
  const isOther = member === 'email' && (account.sharedEmail === wanted || account.email === former)
  return isOther ? undefined : asked(wanted, account[member], member)
}

/** User accounts of the caller's own. */
export const ACCOUNTS: PortShape<Accounts> = {
  port: 'Accounts',
  functions: {
    insert: outcome('inserted', 'duplicate-email', 'unknown-role'),
    findByEmail: accountWith('email'),
    find: accountWith('id'),
    page: list,
    search: list,
    replaceHash: word('replaced', 'changed'),
    setPassword: word('set', 'unknown'),
    changePassword: answers('the new epoch, or undefined', optional(positive)),
    setDisabled: word('set', 'unchanged', 'unknown'),
    issueResetToken: word('issued', 'changed'),
    holdsResetToken: trueOrFalse,
    consumeResetToken: answers('the id of the account, or undefined', optional(positive)),
    resetTokenEnds: list,
    remove: word('removed', 'unknown'),
  },
}
