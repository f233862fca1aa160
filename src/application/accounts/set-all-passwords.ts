import type { Account } from '../../domain/identity/account.js'
import type { Authorized } from '../access/authorize.js'
import type { AuthorizedPassword, GivenPassword } from './hash-new-password.js'
import { retried, type WithRetrying } from '../retrying.js'
import { setPasswordOf, type SetPasswordParts } from './set-password.js'

const PAGE = 100

/** The password of each account, or one hash that all are given. */
export type GivenPasswords =
  | {
      /** The same for all, or made from each account. */
      readonly password: (account: Account) => string
      readonly anyLength?: boolean | undefined
      readonly passwordHash?: undefined
    }
  | Extract<GivenPassword, { readonly passwordHash: string }>

/**
 * Sets the password of every account, each hashed with a salt of its own, and ends all their
 * sessions. Refuses with `forbidden`, `malformed` and `invalid`. A password that no account may have is refused before
 * anything is changed; one that is too close to the email of an account, when it is that account's turn: those before it
 * have theirs by then.
 */
export type SetAllPasswords = (
  input: { authorized: Authorized<'user-task', 'password'> } & AuthorizedPassword<GivenPasswords>,
) => Promise<{ readonly matched: number; readonly save: number }>

/** Takes the proof of `user-task: password`, for a hash that of `user: import` too. */
export function createSetAllPasswords(parts: SetPasswordParts & WithRetrying): SetAllPasswords {
  const accounts = retried(parts.accounts, parts.retrying)
  return async ({ authorized: { caller }, ...all }) => {
    let matched = 0
    let page = await accounts.page(undefined, PAGE)
    while (page.length > 0) {
      for (const account of page) {
        const given = { ...all, password: all.password?.(account) } as AuthorizedPassword
        await setPasswordOf({ ...parts, accounts }, { caller, account, given })
        matched += 1
      }
      page = await accounts.page(page.at(-1)?.id, PAGE)
    }
    return { matched, save: matched }
  }
}
