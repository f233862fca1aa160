import { mochaGlobalSetup, mochaGlobalTeardown } from '../support/mongodb/fixture.js'
import { hasMongodb } from '../support/mongodb/server.js'
import { PROJECT } from '../support/project.js'
import { CHECKERS } from './checkers.js'
import { readCommandLine, UsageError, type Wanted } from './command-line.js'
import { writePage } from './page/page.js'
import { tryAll } from './try-all.js'

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())

/** With a server for databases of their own, as the tests have one, where a trial is on MongoDB. */
async function tryOnServer(wanted: Wanted & { kind: 'try' }): Promise<number> {
  const needsServer = wanted.trials.some(({ store }) => store === 'mongodb')
  if (needsServer) await mochaGlobalSetup()
  try {
    const outputs = { results: process.stdout, messages: process.stderr }
    return await tryAll(wanted, { project: PROJECT, ...outputs, stopped: stop.signal })
  } finally {
    if (needsServer) await mochaGlobalTeardown()
  }
}

try {
  const wanted = readCommandLine(process.argv.slice(2), CHECKERS, hasMongodb())
  if (wanted.kind === 'text') console.log(wanted.text)
  else if (wanted.kind === 'page') await writePage(PROJECT)
  else process.exitCode = (await tryOnServer(wanted)) === 0 ? 0 : 1
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 2
}
