import { hash } from 'node:crypto'
import type { Contestant } from '../alternate.js'
import { median, ratio, type Results } from '../alternate.js'
import {
  OPERATOR,
  openKennel,
  type AccountId,
  type Email,
  type Epoch,
  type RoleKey,
} from '../../src/index.js'
import type { Instant } from '../../src/domain/instant.js'
import type { RecordOf } from '../../src/ports/copyable-records.js'
import { atMost, thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { hashOfPassword } from '../workplace/logins.js'
import type { Workplace } from '../workplace/workplace.js'
import { putAll } from './fill.js'
import { putting } from './stores.js'

type Kennel = Awaited<ReturnType<typeof openKennel>>
type Search = Omit<Parameters<Kennel['listUsers']>[0], 'caller' | 'limit'>

const ACCOUNTS = 1_000_000
const QUICK_ACCOUNTS = 50_000
const LIMIT = 20
const CALLS = 500
const ROUNDS = { usual: 7, quick: 2 }
/** Roles of half of the accounts, and of one in ten thousand. */
const [COMMON, RARE] = ['editor', 'admin'] as const
const RARELY = 10_000
/**
 * One in this many accounts is disabled; odd, so that disabled accounts alternate between having and lacking the common
 * role.
 */
const ENABLED = 101
/** The digits of a searched email prefix: 244 of a million emails begin with each. */
const START_DIGITS = 3

/** A search page, and the plain page that it is compared with. */
type Asked = {
  readonly name: string
  readonly search: (call: number) => Search
  readonly plain?: string
}
type Searches = Readonly<Record<string, Asked['search']>>

const ANYWHERE = 'of all accounts, anywhere'
/** For another prefix each time, so the accounts are spread over the whole file. */
const VARYING: Searches = {
  [`by ${START_DIGITS} characters of the email`]: (call) => ({ email: startOf(call) }),
  'by the same and a role that half have': (call) => ({ email: startOf(2 * call), role: COMMON }),
}
const FIRST = 'of all accounts, the first'
/** These searches return a few first pages, which are cached like the first page of all accounts. */
const FIXED: Searches = {
  'by a role that half have': () => ({ role: COMMON }),
  'by a role of one in ten thousand': () => ({ role: RARE }),
  disabled: () => ({ onlyDisabled: true }),
  'disabled, by a role': () => ({ role: COMMON, onlyDisabled: true }),
  'all three together': (call) => ({ email: startOf(call).slice(0, 1), role: COMMON, onlyDisabled: true }),
}

/** The first page of each search compared with a page of all accounts, by sequential calls of the library. */
export async function measureSearches(place: Workplace, run: Run): Promise<Report> {
  const count = run.quick ? QUICK_ACCOUNTS : ACCOUNTS
  await fillAccounts(place, count)
  const kennel = await openKennel({
    store: place.env['DATABASE_URL'] as string,
    passphrase: place.env['SECURITY_JWT_PASSPHRASE'],
    publicUrl: place.publicUrl,
    background: false,
  })
  try {
    const asked = pagesOf(count)
    const results = await run.alternate(
      asked.map((one) => paging(kennel, one)),
      ROUNDS,
    )
    return reportOf(count, asked, results)
  } finally {
    await kennel.close()
  }
}

function pagesOf(count: number): readonly Asked[] {
  const beside = (plain: string, searches: Searches) =>
    Object.entries(searches).map(([name, search]) => ({ name, search, plain }))
  return [
    { name: ANYWHERE, search: (call) => pageAnywhere(call, count) },
    ...beside(ANYWHERE, VARYING),
    { name: FIRST, search: () => ({}) },
    ...beside(FIRST, FIXED),
  ]
}

function reportOf(count: number, asked: readonly Asked[], results: readonly Results<number>[]): Report {
  const ratioOf = (one: Results<number>): number => {
    const { plain } = asked.find(({ name }) => name === one.name) ?? {}
    const other = results.find(({ name }) => name === plain)
    return other ? ratio(one, other, (round) => round) : 1
  }
  return {
    setting: `${thousands(count)} accounts, whose emails come in another order than their ids; pages of ${LIMIT} accounts, asked for by \`kennel.listUsers\`: of each search the first, beside the page of all accounts that stands above it.`,
    columns: [
      { name: 'µs a page', digits: 0 },
      { name: 'per plain page', digits: 2 },
    ],
    rows: results.map((one) => ({ name: one.name, values: [median(one.rounds), ratioOf(one)] })),
    claims: [
      atMost('dearest search per plain page', 2, Math.max(...results.map(ratioOf)), {
        short: `first page of a search among ${thousands(count)} accounts, per plain page`,
      }),
    ],
  }
}

/** A round is the mean time of a call, in microseconds. */
function paging(kennel: Kennel, { name, search }: Asked): Contestant<number> {
  return {
    name,
    round: async (number) => {
      const begun = performance.now()
      for (let call = 0; call < CALLS; call += 1) {
        const asked = search(number * CALLS + call)
        const page = await kennel.listUsers({ caller: OPERATOR, limit: LIMIT, ...asked })
        if (page.length === 0) throw new Error('a search has found nothing')
      }
      return ((performance.now() - begun) / CALLS) * 1_000
    },
  }
}

async function fillAccounts(place: Workplace, count: number): Promise<void> {
  const passwordHash = await hashOfPassword()
  const madeAt = Date.now()
  const make = (index: number) => ({ ...accountOf(index, madeAt), passwordHash })
  await putting(place, async (put) => {
    await put(
      'role',
      [COMMON, RARE].map((key) => ({ key: key as RoleKey, uuid: key, label: key })),
    )
    for await (const _ of putAll(put, 'account', { first: 0, count, make }));
    await put('counter', [{ name: 'accounts', last: count }])
  })
}

function accountOf(index: number, madeAt: Instant): RecordOf['account'] {
  const roles = [...(index % RARELY === 0 ? [RARE] : []), ...(index % 2 === 0 ? [COMMON] : [])]
  return {
    id: (index + 1) as AccountId,
    email: `${digitsOf(index)}@kennel.example` as Email,
    epoch: 1 as Epoch,
    createdAt: madeAt,
    ...(index % ENABLED === 0 && { disabledAt: madeAt }),
    roles: roles as readonly string[] as readonly RoleKey[],
  }
}

/** Another page each time, because a repeated page would be cached: searches vary their text too. */
function pageAnywhere(call: number, count: number): Search {
  return { after: (1 + ((call * 7_919) % (count - LIMIT))) as AccountId }
}

/** The prefix of an existing account's email. */
function startOf(call: number): string {
  return digitsOf(call * 7).slice(0, START_DIGITS)
}

function digitsOf(index: number): string {
  return hash('sha256', `email ${index}`, 'hex').slice(0, 16)
}
