import fc from 'fast-check'
import type { Client } from './clients.js'
import { CLIENTS, THEMES, themeOf, type Theme, type ThemeName } from './themes.js'

/** The numbers that determine a history, each at least 0 and at most 255. */
export type Plan = {
  /** Numbers that determine the instances, the clients, their clocks, and the settings. */
  readonly setting: readonly number[]
  /** Each action: the client, the kind of action, the instance, and three numbers for the action. */
  readonly actions: readonly (readonly number[])[]
  /** Determines which of the waiting calls continues, or whether a client starts its next action. */
  readonly choices: readonly number[]
  /** The number of a port call, and what happens to that call. */
  readonly mishaps: readonly (readonly [number, number])[]
}

const byte = fc.nat(255)
const action = fc.tuple(byte, byte, byte, byte, byte, byte)

/** Generates arrays of exactly this length, but can shrink them to shorter arrays. */
function full<T>(item: fc.Arbitrary<T>, length: number): fc.Arbitrary<T[]> {
  const whole = fc.array(item, { minLength: length, maxLength: length })
  const generate = (random: fc.Random) => new fc.Value(whole.generate(random, undefined).value, undefined)
  return Object.assign(fc.array(item, { maxLength: length }), { generate })
}

/** Generates plans of full length. The shorter a plan and the smaller its numbers, the simpler its history. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  setting: fc.array(byte, { minLength: 8, maxLength: 8 }),
  actions: full(action, 30),
  choices: full(byte, 240),
  mishaps: fc.array(fc.tuple(fc.nat(250), byte), { maxLength: 3 }),
})

/** What happens to a port call. Half of the injected faults are delays. */
const MISHAPS = [
  ...(['refused', 'answer lost', 'broken', 'killed before', 'killed after'] as const),
  ...Array.from({ length: 5 }, () => 'delayed' as const),
]
export type Mishap = (typeof MISHAPS)[number]

const SECOND = 1_000
const DAY = 86_400 * SECOND
const SKEWS = [0, 0, 0, 0, 2, -7, 25, 60, 3_600, -3_600].map((seconds) => seconds * SECOND)
const WAITS = [1, 1, 2, 5, 9, 10, 11, 11, 60, 895, 905, 3_600]
  .map((seconds) => seconds * SECOND)
  .concat(6 * DAY, 8 * DAY, 31 * DAY)

const pick = <T>(values: readonly T[], number = 0) => values[number % values.length] as T

export type Setting = ReturnType<typeof settingOf>

/** The meaning of the numbers in a plan. */
export function settingOf({ setting, actions, choices, mishaps }: Plan, name?: ThemeName) {
  const [instances = 0, count = 0, second, third, grace, limit, subject] = setting
  const theme = name ? themeOf(name) : pick(THEMES, subject)
  const clients = clientsOf(theme, 2 + (count % 5))
  const processes = 1 + (instances % 3)
  const { calm, delayedAfter: after, loginLimit, isFactorNeeded = false, isApprovalNeeded = false } = theme
  return {
    ...{ theme, clients, choices, after, instances: processes },
    actions: actions.map(([client = 0, kind = 0, instance = 0, a = 0, b = 0, c = 0]) => ({
      /** If no client is chosen, time passes instead. */
      client: clients[client % (clients.length + 1)],
      ...{ kind, instance: instance % processes, numbers: { a, b, c } },
    })),
    /** The injected faults, keyed by port call number. If the theme sets `delayedAfter`, every fault is a delay. */
    mishaps: new Map<number, Mishap>(
      mishaps.map(([call, mishap]) => (after ? [call % 8, 'delayed'] : [call, pick(MISHAPS, mishap)])),
    ),
    /** How far the clock of each instance differs from the actual time. */
    skews: calm ? [] : [0, pick(SKEWS, second), pick(SKEWS, third)],
    rules: {
      ...{ accessToken: 900 * SECOND, refreshToken: 7 * DAY, session: 30 * DAY },
      grace: pick([10, 10, 10, 0], grace) * SECOND,
      sessionLimit: pick([undefined, undefined, 1, 2], limit),
      ...{ resetToken: 1_800 * SECOND, impersonation: 3_600 * SECOND, loginLimit },
      ...{ isFactorNeeded, isApprovalNeeded },
    },
  }
}

/** The two tabs share one cookie. */
function clientsOf({ clients }: Theme, count: number): readonly Client[] {
  const shared: Client['jar'] = {}
  return clients.slice(0, count).map((index) => {
    const client = CLIENTS[index] as (typeof CLIENTS)[number]
    return { ...client, jar: client.name.startsWith('tab') ? shared : {}, tokens: {} }
  })
}

/** How long the clock advances between actions; in a calm theme, most waits are short, so that few lifetimes end. */
export function waitOf({ calm }: Theme, kind: number): number {
  return calm && kind % 16 > 0 ? pick(WAITS.slice(0, calm), kind >> 4) : pick(WAITS, kind)
}
