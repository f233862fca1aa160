import { parseArgs } from 'node:util'
import { FIGURES } from './figures.js'
import { thisMachine, versionsInUse } from './page/machine.js'
import { claimLine, tableOf } from './page/text.js'
import { createRun } from './run.js'
import { hasMongodb, NO_MONGODB } from './workplace/mongodb-server.js'

const { values, positionals } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    seconds: { type: 'string' },
  },
  allowPositionals: true,
})
const names = FIGURES.map(({ name }) => name)
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  console.error(`There is no figure ${unknown.join(', ')}; there are ${names.join(', ')}.`)
  process.exit(2)
}

const { quick, rounds, seconds } = values
const asked = { quick, rounds: numberIn(rounds), seconds: numberIn(seconds) }
console.log(JSON.stringify({ ...thisMachine(), ...versionsInUse() }))
for (const { name, title, needsMongodb, onlyNamed, measure } of FIGURES) {
  const isWanted = positionals.length === 0 ? onlyNamed === undefined : positionals.includes(name)
  if (!isWanted) continue
  if (needsMongodb && !hasMongodb()) {
    console.log(`${name}: ${NO_MONGODB}\n`)
    continue
  }
  const run = createRun(asked, (round, of) => console.error(`${name}: round ${round} of ${of}`))
  const report = await measure(run)
  const lines = [...report.claims.map(claimLine), ...(report.notes ?? []).map((note) => `- ${note}`)]
  console.log([`## ${title}`, report.setting, tableOf(report), lines.join('\n'), ''].join('\n\n'))
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}
