import type { Account } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { Accounts } from '../../ports/accounts.js'
import { assertProven, type Authorized } from '../access/authorize.js'
import { summaryOf, type UserSummary } from './list-users.js'

/** One of several accounts that an earlier release made for one canonical email. */
export type DuplicateUser = UserSummary & { readonly canonicalEmail: Email }

/**
 * The accounts whose canonical email another account has too, by that email and then by ID. Only a store of a release up to 0.7.0
 * can have such accounts. Reads all accounts. Refuses with `forbidden`.
 */
export type ListDuplicateUsers = (input: {
  authorized: Authorized<'user', 'list'>
}) => Promise<readonly DuplicateUser[]>

const PAGE = 500

/** Takes the proof of `user: list`. */
export function createListDuplicateUsers({ accounts }: { accounts: Accounts }): ListDuplicateUsers {
  return async ({ authorized }) => {
    assertProven(authorized)
    const groups = new Map<Email, DuplicateUser[]>()
    for await (const account of sharing(accounts)) {
      const { sharedEmail } = account
      groups.set(sharedEmail, [...(groups.get(sharedEmail) ?? []), duplicateOf(account)])
    }
    // If only one account of an email is left, it is no duplicate.
    const shared = [...groups].filter(([, users]) => users.length > 1)
    return shared.sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, users]) => users)
  }
}

type Sharing = Account & { readonly sharedEmail: Email }

async function* sharing(accounts: Accounts): AsyncGenerator<Sharing> {
  let page: readonly Account[] = []
  do {
    page = await accounts.page(page.at(-1)?.id, PAGE)
    for (const account of page) if (isSharing(account)) yield account
  } while (page.length === PAGE)
}

function isSharing(account: Account): account is Sharing {
  return account.sharedEmail !== undefined
}

function duplicateOf(account: Sharing): DuplicateUser {
  return { ...summaryOf(account), canonicalEmail: account.sharedEmail }
}
