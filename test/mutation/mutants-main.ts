// Mutation tests of pieces, all of them where none is named: `node dist/test/mutation/mutants-main.js domain --jobs 2`.
// The result of each is kept beside this file. With `--survivors` only those of the kept result are tried again, and it is
// kept with what is noticed by now: that takes minutes where a whole run takes an hour. The status is 1 where a survivor is not named as equivalent.
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { checkPiece, checkSurvivors } from './check-piece.js'
import { pieceOf, PIECES } from './pieces.js'
import { keepResult, unnamed } from './results.js'

const { values, positionals } = parseArgs({
  options: { jobs: { type: 'string' }, survivors: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const check = values.survivors ? checkSurvivors : checkPiece
const jobs = Number(values.jobs ?? Math.ceil(availableParallelism() / 2))
const names = positionals.length > 0 ? positionals : Object.keys(PIECES)
names.forEach(pieceOf)

for (const name of names) {
  const result = await check(name, {
    jobs,
    note: (line) => {
      console.error(line)
    },
  })
  await keepResult(result)
  const left = unnamed(result)
  for (const { file, within, line, change } of left)
    console.log(`\n${file}\n  in ${within}\n  at ${line}\n  ${change}`)
  const { mutants, killed, timeouts, score } = result
  console.log(
    `\n${name}: ${mutants} mutants, ${killed} killed, ${timeouts} timed out, ${score} %, ${left.length} survivors to look at`,
  )
  if (left.length > 0) process.exitCode = 1
}
