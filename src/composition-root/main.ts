import { runCommandLine } from '../adapters/oclif/run.js'
import { showSourceLines } from '../adapters/system/source-lines.js'
import { COMMANDS } from './commands.js'
import { isWorker } from './workers/worker-argument.js'

/** What the executable calls; this file is the entry of the bundle. */
export async function main(): Promise<void> {
  showSourceLines(import.meta.dirname)
  if (isWorker()) (await import('./workers/worker.js')).runWorker()
  else await runCommandLine(COMMANDS, import.meta.dirname)
}
