import type { Account } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { Accounts } from '../../ports/accounts.js'
import { fields } from '../fields.js'
import { operation } from '../operation.js'
import { summaryOf, type UserSummary } from './list-users.js'

/** One of several accounts that an earlier release made for one canonical email. */
export type DuplicateUser = UserSummary & { readonly canonicalEmail: Email }

const PAGE = 500

/**
 * The accounts whose canonical email another account has too, by that email and then by ID. Only a store of a release up to 0.7.0
 * can have such accounts. Reads all accounts.
 */
export const listDuplicateUsers = operation({
  permission: ['user', 'list'],
  input: fields({}),
  parts: ['accounts'],
  run:
    ({ accounts }: { accounts: Accounts }) =>
    async (): Promise<readonly DuplicateUser[]> => {
      const groups = new Map<Email, DuplicateUser[]>()
      for await (const account of sharing(accounts)) {
        const { sharedEmail } = account
        groups.set(sharedEmail, [...(groups.get(sharedEmail) ?? []), duplicateOf(account)])
      }
      // If only one account of an email is left, it is no duplicate.
      const shared = [...groups].filter(([, users]) => users.length > 1)
      return shared.sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, users]) => users)
    },
})

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
