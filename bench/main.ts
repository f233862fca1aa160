import { readCommandLine, UsageError } from './command-line.js'
import { FIGURES } from './figures.js'
import { measureAll } from './measure-all.js'
import { writePage } from './page/write-page.js'
import { CHECKOUT } from './workplace/service.js'
import { hasMongodb } from './workplace/mongodb-server.js'

const OUTPUTS = { results: process.stdout, messages: process.stderr }

try {
  const wanted = readCommandLine(process.argv.slice(2), FIGURES, hasMongodb())
  if (wanted.kind === 'help') console.log(wanted.text)
  else if (wanted.kind === 'page') await writePage(CHECKOUT)
  else process.exitCode = (await measureAll(wanted, CHECKOUT, OUTPUTS)) === 0 ? 0 : 1
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
