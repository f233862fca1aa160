import { randomInt } from 'node:crypto'
import type { Campaign } from './campaign.js'
import { CAMPAIGNS } from './campaigns.js'
import { readCommandLine, UsageError, type Wanted } from './command-line.js'
import { createProgress } from './progress.js'
import { runCampaign, type Outcome } from './run-campaign.js'
import { summaryOf } from './summary.js'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

/** Runs the campaigns one after another; returns the number of violations. */
async function runAll({ campaigns, minutes, rounds, planted, json, ...wanted }: Wanted): Promise<number> {
  const possible = campaigns.filter(isPossible)
  const seed = wanted.seed ?? randomInt(2 ** 31)
  const outcomes: Outcome[] = []
  for (const campaign of possible) {
    if (stop.signal.aborted) break
    const progress = createProgress(process.stderr, `npm run withstand -- --campaign ${campaign.name}`)
    const outcome = await runCampaign(campaign, {
      ...{ seed, rounds, planted, minutes: minutes / possible.length },
      ...{ clock: () => performance.now(), stopped: stop.signal, onProgress: progress.show },
    })
    progress.end()
    outcomes.push(outcome)
    if (json) console.log(JSON.stringify(outcome))
  }
  if (!json) console.log(summaryOf(outcomes))
  return outcomes.reduce((sum, { violations }) => sum + violations.length, 0)
}

function isPossible({ name, missing }: Campaign): boolean {
  const reason = missing?.()
  if (reason !== undefined) console.error(`${name} is left out: ${reason}`)
  return reason === undefined
}

try {
  const wanted = readCommandLine(process.argv.slice(2), CAMPAIGNS)
  if (wanted.list) console.log(CAMPAIGNS.map(({ name, title }) => `${name}: ${title}`).join('\n'))
  else process.exitCode = (await runAll(wanted)) === 0 ? 0 : 1
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
