import { showSourceLines } from './source-lines.js'
import { isWorker } from './workers/worker-command-line.js'

/** What the executable calls; this file is the entry of the bundle. */
export async function main(): Promise<void> {
  showSourceLines(import.meta.dirname)
  if (isWorker()) (await import('./workers/worker.js')).runWorker()
  else await runCommand()
}

/** A worker loads none of it: oclif, once loaded, changes standard output so that a write may be put off. */
async function runCommand(): Promise<void> {
  const { completeUser } = await import('../configuration/environment.js')
  completeUser()
  const [{ runCommandLine }, { COMMANDS }] = await Promise.all([
    import('../adapters/oclif/run.js'),
    import('./commands.js'),
  ])
  await runCommandLine(COMMANDS, import.meta.dirname)
}
