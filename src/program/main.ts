import { showSourceLines } from './source-lines.js'
import { isWorker } from './workers/worker-command-line.js'

/** The entry point of the bundle, which the executable calls. */
export async function main(): Promise<void> {
  showSourceLines(import.meta.dirname)
  if (isWorker()) (await import('./workers/worker.js')).runWorker()
  else await runCommand()
}

/** A worker does not load oclif, because oclif changes standard output so that writes may be delayed. */
async function runCommand(): Promise<void> {
  const { prepareForOclif } = await import('../configuration/environment.js')
  prepareForOclif()
  const [{ runCommandLine }, { COMMANDS }] = await Promise.all([
    import('../adapters/oclif/run.js'),
    import('./commands.js'),
  ])
  await runCommandLine(COMMANDS, import.meta.dirname)
}
