import { startMongodb } from './mongodb/run-server.js'
import { startPostgresql } from './postgresql/run-server.js'
import { makeRunFolder } from './temporary-folder.js'

// Makes commands in the test process print as if there were no terminal, in any environment. Their libraries read
// NO_COLOR and OCLIF_COLUMNS when they are loaded, which happens later.
process.env['NO_COLOR'] = '1'
process.env['OCLIF_COLUMNS'] = '80'

let stopServers: readonly (() => Promise<unknown>)[] = []
let removeRunFolder: () => void

/**
 * Creates one folder and one server of each kind for all test files of a run; each file has separate databases. Mocha calls this function
 * once, before it starts its workers, which then inherit the path and the addresses.
 */
export async function mochaGlobalSetup(): Promise<void> {
  removeRunFolder = makeRunFolder()
  stopServers = await Promise.all([startMongodb(), startPostgresql()])
}

export async function mochaGlobalTeardown(): Promise<void> {
  removeRunFolder()
  await Promise.all(stopServers.map((stop) => stop()))
}
