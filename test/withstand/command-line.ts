import { parseArgs } from 'node:util'
import type { Campaign } from './campaign.js'

export type Wanted = {
  readonly campaigns: readonly Campaign[]
  readonly seed: number | undefined
  /** For all campaigns together. */
  readonly minutes: number
  readonly rounds: number
  readonly planted: string | undefined
  readonly json: boolean
  readonly list: boolean
}

/** A wrong argument; the message lists the possible arguments. */
export class UsageError extends Error {}

const OPTIONS = {
  minutes: { type: 'string', default: '30' },
  campaign: { type: 'string', multiple: true, default: [] as string[] },
  seed: { type: 'string' },
  rounds: { type: 'string', default: 'Infinity' },
  planted: { type: 'string' },
  json: { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
} as const

const USAGE = `npm run withstand -- [options]
  --minutes N      all campaigns together take about N minutes (30)
  --campaign NAME  only this campaign; can be repeated
  --seed N         the seed of the first round
  --rounds N       the most rounds of each campaign
  --planted NAME   with this planted bug, which a campaign must find
  --json           prints one line of JSON for each campaign
  --list           lists the campaigns`

/** Throws a UsageError. */
export function readCommandLine(args: readonly string[], all: readonly Campaign[]): Wanted {
  const { minutes, campaign, seed, rounds, ...rest } = parsed(args)
  const unknown = campaign.filter((name) => !all.some((one) => one.name === name))
  if (unknown.length > 0)
    throw new UsageError(`There is no campaign ${unknown.join()}: ${all.map(({ name }) => name).join(', ')}.`)
  return {
    campaigns: campaign.length === 0 ? all : all.filter(({ name }) => campaign.includes(name)),
    minutes: numberOf('minutes', minutes),
    rounds: rounds === 'Infinity' ? Infinity : numberOf('rounds', rounds),
    seed: seed === undefined ? undefined : numberOf('seed', seed),
    planted: rest.planted,
    json: rest.json,
    list: rest.list,
  }
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${USAGE}`)
  }
}

function numberOf(name: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value) || value < 0)
    throw new UsageError(`--${name} must be a number from 0, and not ${text}.`)
  return value
}
