import type { Caller } from '../../domain/access/caller.js'
import type { Account } from '../../domain/identity/account.js'
import { setPasswordOf, type SetPasswordParts } from './set-password.js'

const PAGE = 100

/**
 * Sets the password of every account, each hashed with a salt of its own, and ends all their
 * sessions. Refuses with `forbidden` and, before anything is changed, `invalid`.
 */
export type SetAllPasswords = (ask: {
  caller: Caller
  /** The same for all, or made from each account. */
  password: (account: Account) => string
  anyLength?: boolean
}) => Promise<{ readonly matched: number; readonly save: number }>

/** Needs the grant `user-task: password`. */
export function createSetAllPasswords(parts: SetPasswordParts): SetAllPasswords {
  return async ({ caller, password, anyLength = false }) => {
    parts.authorize(caller, 'user-task', 'password')
    let matched = 0
    let page = await parts.accounts.page(undefined, PAGE)
    while (page.length > 0) {
      for (const account of page) {
        await setPasswordOf(parts, { caller, account, password: password(account), anyLength })
        matched += 1
      }
      page = await parts.accounts.page(page.at(-1)?.id, PAGE)
    }
    return { matched, save: matched }
  }
}
