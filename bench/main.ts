import { runProgram } from './arguments.js'
import { readCommandLine } from './command-line.js'
import { FIGURES } from './figures.js'
import { measureAll } from './measure-all.js'
import { writePage } from './page/write-page.js'
import { CHECKOUT } from './workplace/service.js'
import { hasMongodb } from './workplace/mongodb-server.js'

const OUTPUTS = { results: process.stdout, messages: process.stderr }

await runProgram(async () => {
  const wanted = readCommandLine(process.argv.slice(2), FIGURES, hasMongodb())
  if (wanted.kind === 'measure') return (await measureAll(wanted, CHECKOUT, OUTPUTS)) === 0 ? 0 : 1
  if (wanted.kind === 'help') console.log(wanted.text)
  else await writePage(CHECKOUT)
  return 0
})
