import { randomInt } from 'node:crypto'
import { checkNames, numberOf, parseArguments, runProgram } from '../../bench/arguments.js'
import { runCampaign, type Campaign, type Outcome } from './campaign.js'
import { CAMPAIGNS } from './campaigns.js'
import { createProgress, rowOf } from './progress.js'

const OPTIONS = {
  minutes: { type: 'string', default: '30' },
  campaign: { type: 'string', multiple: true, default: [] as string[] },
  seed: { type: 'string' },
  rounds: { type: 'string' },
  planted: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

const USAGE = `npm run withstand -- [options]
  --minutes N      all campaigns together take about N minutes (30)
  --campaign NAME  only this campaign; can be repeated
  --seed N         the seed of the first round
  --rounds N       the most rounds of each campaign
  --planted NAME   with this planted bug, which a campaign must find
  --json           prints one line of JSON for each campaign`

const POSITIVE = { least: 0, most: 2 ** 32, isWhole: false }
const WHOLE = { ...POSITIVE, isWhole: true }
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

await runProgram(async () => {
  const { campaign, json, planted, ...given } = parseArguments({ options: OPTIONS }, USAGE).values
  checkNames('campaign', campaign, CAMPAIGNS)
  const wanted = CAMPAIGNS.filter(({ name }) => campaign.length === 0 || campaign.includes(name))
  const campaigns = withBug(wanted, planted).filter(isPossible)
  const minutes = numberOf('minutes', given.minutes, POSITIVE) / campaigns.length
  const seed = given.seed === undefined ? randomInt(2 ** 31) : numberOf('seed', given.seed, WHOLE)
  const rounds = given.rounds === undefined ? Infinity : numberOf('rounds', given.rounds, WHOLE)
  const outcomes: Outcome[] = []
  for (const one of campaigns) {
    const progress = createProgress(process.stderr)
    const options = { seed, rounds, minutes, planted, stopped: stop.signal, onProgress: progress.show }
    outcomes.push(await runCampaign(one, options))
    progress.end()
    if (json) console.log(JSON.stringify(outcomes.at(-1)))
  }
  if (!json) console.table(outcomes.map(rowOf))
  return outcomes.some(({ violations }) => violations.length > 0) ? 1 : 0
})

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
