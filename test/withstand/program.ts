import { randomInt } from 'node:crypto'
import { checkNames, numberOf, parseArguments, runProgram } from '../../bench/arguments.js'
import { runCampaign, type Campaign, type Outcome } from './campaign.js'
import { createProgress, rowOf } from './progress.js'

const OPTIONS = {
  minutes: { type: 'string' },
  campaign: { type: 'string', multiple: true, default: [] as string[] },
  seed: { type: 'string' },
  rounds: { type: 'string' },
  planted: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

/** A program that runs campaigns. */
type Program = {
  /** The name of the npm script. */
  readonly command: string
  readonly campaigns: readonly Campaign[]
  /** Each campaign ends after this time, unless the options specify otherwise. */
  readonly until: { readonly minutes: string } | { readonly rounds: string }
}

const usageOf = ({ command, until }: Program) => `npm run ${command} -- [options]
  --minutes N      all campaigns together take about N minutes${'minutes' in until ? ` (${until.minutes})` : ''}
  --campaign NAME  only this campaign; can be repeated
  --seed N         the seed of the first round
  --rounds N       the most rounds of each campaign${'rounds' in until ? ` (${until.rounds})` : ''}
  --planted NAME   with this planted bug, which a campaign must find
  --json           prints one line of JSON for each campaign`

const POSITIVE = { least: 0, most: 2 ** 32, isWhole: false }
const WHOLE = { ...POSITIVE, isWhole: true }

/** Runs the campaigns that the arguments of this process select, prints a table, and sets the exit status. */
export async function runCampaigns(program: Program): Promise<void> {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  await runProgram(async () => {
    const { campaigns, json, ...options } = readArguments(program)
    const outcomes: Outcome[] = []
    for (const one of campaigns) {
      const progress = createProgress(process.stderr)
      outcomes.push(await runCampaign(one, { ...options, stopped: stop.signal, onProgress: progress.show }))
      progress.end()
      if (json) console.log(JSON.stringify(outcomes.at(-1)))
    }
    if (!json) console.table(outcomes.map((outcome, n) => ({ ...rowOf(outcome), ...needsOf(campaigns[n]) })))
    return outcomes.some(({ violations }) => violations.length > 0) ? 1 : 0
  })
}

function readArguments(program: Program) {
  const { values } = parseArguments({ options: OPTIONS }, usageOf(program))
  const { campaign, json, planted, seed, minutes, rounds } = { ...program.until, ...values }
  checkNames('campaign', campaign, program.campaigns)
  const wanted = program.campaigns.filter(({ name }) => campaign.length === 0 || campaign.includes(name))
  const campaigns = withBug(wanted, planted).filter(isPossible)
  return {
    ...{ campaigns, json, planted, command: program.command },
    seed: seed === undefined ? randomInt(2 ** 31) : numberOf('seed', seed, WHOLE),
    minutes: minutes === undefined ? Infinity : numberOf('minutes', minutes, POSITIVE) / campaigns.length,
    rounds: rounds === undefined ? Infinity : numberOf('rounds', rounds, WHOLE),
  }
}

function withBug(campaigns: readonly Campaign[], planted: string | undefined): readonly Campaign[] {
  if (planted === undefined) return campaigns
  const bugs = new Set(campaigns.flatMap(({ bugs = [] }) => bugs))
  checkNames(
    'planted bug',
    [planted],
    [...bugs].map((name) => ({ name })),
  )
  return campaigns.filter(({ bugs }) => bugs?.includes(planted))
}

function isPossible({ name, missing }: Campaign): boolean {
  const reason = missing?.()
  if (reason !== undefined) console.error(`${name} is left out: ${reason}`)
  return reason === undefined
}

function needsOf({ needs }: Partial<Campaign> = {}) {
  return needs === undefined ? {} : { needs }
}
