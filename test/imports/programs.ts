import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

type Environment = Readonly<Record<string, string>>

const run = promisify(execFile)

/** Runs a program until it exits. Rejects with the program's output if the program fails. */
export async function runProgram(
  file: string,
  args: readonly string[],
  env: Environment = {},
): Promise<void> {
  await run(file, args, { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 })
}

/** Runs `work` while a server runs, as soon as the URL `ready` returns 200. */
export async function withServer(
  [file = '', ...args]: readonly string[],
  { ready, env }: { readonly ready: string; readonly env?: Environment },
  work: () => Promise<void>,
): Promise<void> {
  const child = spawn(file, args, { env: { ...process.env, ...env }, detached: true, stdio: 'ignore' })
  const ended = once(child, 'close')
  // A start script may have started the server as another process, so the signal goes to the group.
  const stop = () => child.exitCode ?? process.kill(-(child.pid ?? 0))
  process.once('exit', stop)
  try {
    while (!(await answers(ready))) {
      if (child.exitCode !== null) throw new Error(`${file} ${args.join(' ')} ended with ${child.exitCode}`)
      await setTimeout(250)
    }
    await work()
  } finally {
    stop()
    await ended
    process.off('exit', stop)
  }
}

async function answers(url: string): Promise<boolean> {
  return await fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )
}
