import { LOGIN_LIMIT } from '../place.js'

/** A login of an account from a network. */
export type Attempt = { readonly account: string; readonly network: string; readonly isRight: boolean }

/** How many attempts count under each name. */
export type Counts = Readonly<Record<string, number>>

/** Under which names an attempt is counted, and how much of each is too much: for one account from one network, the network, and the account. */
export function namesOf({ account, network }: Attempt): readonly (readonly [name: string, limit: number])[] {
  const { count } = LOGIN_LIMIT
  return [
    [`${account} from ${network}`, count],
    [network, 5 * count],
    [account, 10 * count],
  ]
}
