import { LOGIN } from '../../../support/http/browser.js'
import { PASSWORD } from '../../../support/use-cases.js'
import { prepare } from '../calls.js'
import type { HistoryParts } from '../course.js'
import { freshAccount } from '../identity.js'
import { LOGIN_LIMIT, type Place } from '../place.js'
import { namesOf, type Attempt, type Counts } from './login-counts.js'

/** Accounts and networks from which logins come, some of them near a limit. */
export type Scene = {
  readonly attempts: () => Attempt
  /** What was counted before. */
  readonly counts: Counts
  /** The request of an attempt. */
  readonly call: (attempt: Attempt) => { readonly headers: Record<string, string>; readonly json: object }
}

type Plan = {
  readonly accounts: number
  readonly networks: number
  /** What is left at first of the limit of the first account from anywhere, or of the first network. */
  readonly left?: { readonly of: 'account' | 'network'; readonly count: number }
  /** How many logins of each account from each network have failed at first. */
  readonly failed: number
  /** How many logins of one have the right password. */
  readonly right: number
}

const PLANS: readonly Plan[] = [
  { accounts: 1, networks: 1, failed: 0, right: 0.6 },
  { accounts: 2, networks: 2, failed: 2, right: 0.7 },
  { accounts: 1, networks: 3, failed: 4, left: { of: 'account', count: 2 }, right: 0.9 },
  { accounts: 3, networks: 1, failed: 4, left: { of: 'network', count: 2 }, right: 0.9 },
  { accounts: 1, networks: 8, failed: 0, left: { of: 'account', count: 1 }, right: 0.8 },
]

/** Makes the accounts, and lets logins fail until the limits are as near as they are to be. */
export async function loginScene({ place, random }: HistoryParts): Promise<Scene> {
  const plan = random.pick(PLANS)
  const accounts = namesUpTo('a', plan.accounts)
  const networks = namesUpTo('n', plan.networks)
  const emails = new Map<string, string>()
  for (const account of accounts) emails.set(account, await freshAccount(place))
  const octets = Array.from({ length: 3 }, () => String(1 + random.below(250))).join('.')
  const call = ({ account, network, isRight }: Attempt) => ({
    headers: { 'X-Forwarded-For': `${octets}.${network.slice(1)}` },
    json: { email: emails.get(account) ?? account, password: isRight ? PASSWORD : 'a wrong one' },
  })
  const counts: Record<string, number> = {}
  const failing = failuresOf(plan, { accounts, networks, freshName: place.freshName })
  for (const failure of failing) for (const [name] of namesOf(failure)) counts[name] = (counts[name] ?? 0) + 1
  await Promise.all(failing.map((failure) => fail(place, call(failure))))
  const known = [...accounts, ...networks]
  const kept = Object.entries(counts).filter(([name]) => known.includes(name) || isPair(name, known))
  return {
    attempts: () => ({
      account: random.pick(accounts),
      network: random.pick(networks),
      isRight: random.chance(plan.right),
    }),
    counts: Object.fromEntries(kept),
    call,
  }
}

type Names = {
  readonly accounts: readonly string[]
  readonly networks: readonly string[]
  readonly freshName: Place['freshName']
}

/** Each pair so often; then strangers from the network, or the account from elsewhere. */
function failuresOf(
  { failed, left, accounts: all, networks: most }: Plan,
  { accounts, networks, freshName }: Names,
): readonly Attempt[] {
  const isRight = false
  const pairs = accounts.flatMap((account) => networks.map((network) => ({ account, network, isRight })))
  const ofPairs = pairs.flatMap((pair) => Array.from({ length: failed }, () => pair))
  if (!left) return ofPairs
  const [factor, done] = left.of === 'account' ? [10, most * failed] : [5, all * failed]
  const others = factor * LOGIN_LIMIT.count - left.count - done
  const other = (index: number) =>
    left.of === 'account'
      ? { account: 'a1', network: `n${String(100 + index)}`, isRight }
      : { account: `${freshName('stranger')}@example.com`, network: 'n1', isRight }
  return [...ofPairs, ...Array.from({ length: others }, (_, index) => other(index))]
}

async function fail(place: Place, call: ReturnType<Scene['call']>): Promise<void> {
  const reply = await prepare(place, 'POST', LOGIN, call)
  if (reply.status !== 401) throw new Error(`the attempt was not counted: ${reply.text}`)
}

function namesUpTo(letter: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${String(index + 1)}`)
}

function isPair(name: string, known: readonly string[]): boolean {
  return name.split(' from ').every((part) => known.includes(part))
}
