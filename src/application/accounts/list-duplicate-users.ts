import type { Account } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { Accounts } from '../../ports/accounts.js'
import { fields } from '../fields.js'
import { operation } from '../operation.js'
import { pagesOf } from '../pages.js'
import { summaryOf, type UserSummary } from './list-users.js'

/** An account that shares its canonical email with another account, made by an earlier release. */
export type DuplicateUser = UserSummary & { readonly canonicalEmail: Email }

const PAGE = 500

/**
 * The accounts whose canonical email another account has too, by that email, then by ID. Only stores of releases up to
 * 0.7.0 can have such accounts. Reads all accounts.
 */
export const listDuplicateUsers = operation({
  permission: ['user', 'list'],
  input: fields({}),
  parts: ['accounts'],
  run:
    ({ accounts }: { accounts: Accounts }) =>
    async (): Promise<readonly DuplicateUser[]> => {
      const groups = new Map<Email, DuplicateUser[]>()
      const pages = pagesOf(PAGE, (last: Account | undefined) => accounts.page(last?.id, PAGE))
      for await (const page of pages) {
        for (const { sharedEmail: canonicalEmail, ...account } of page)
          if (canonicalEmail !== undefined)
            groups.set(canonicalEmail, [
              ...(groups.get(canonicalEmail) ?? []),
              { ...summaryOf(account), canonicalEmail },
            ])
      }
      // If only one account of an email is left, it is no duplicate.
      const shared = [...groups].filter(([, users]) => users.length > 1)
      return shared.sort(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, users]) => users)
    },
})
