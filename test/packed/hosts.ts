import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { type Node } from '../support/nodes.js'
import { start, type RunOptions } from './programs.js'

type Call = {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

export type Host = Awaited<ReturnType<typeof startServer>>

/** Starts a program that listens on a free port, and prints its address before anything else. */
export async function startServer(
  runtime: Pick<Node, 'binary'>,
  args: readonly string[],
  options: RunOptions,
) {
  const child = start(runtime, args, { ...options, env: { ...options.env, PORT: '0' } })
  const ended = endOf(child)
  const origin = await spokenOrigin(child)
  return {
    origin,
    call: async ({ path, ...init }: Call) => {
      const reply = await fetch(origin + path, init)
      return { status: reply.status, cookies: reply.headers.getSetCookie(), text: await reply.text() }
    },
    end: async () => {
      child.kill('SIGTERM')
      return await ended
    },
  }
}

export async function startByCommands(
  commands: string,
  { folder, env }: RunOptions,
): Promise<{ readonly origin: string; readonly end: () => Promise<void> }> {
  const options = { cwd: folder, env: { ...process.env, ...env, PORT: '0' }, detached: true }
  const child = spawn('bash', ['-euo', 'pipefail', '-c', commands], options)
  const ended = endOf(child)
  const origin = await spokenOrigin(child)
  return {
    origin,
    end: async () => {
      process.kill(-(child.pid ?? 0), 'SIGKILL')
      await ended
    },
  }
}

async function endOf(child: ChildProcessWithoutNullStreams): Promise<number | string | null> {
  const [code, signal] = (await once(child, 'close')) as [number | null, string | null]
  return code ?? signal
}

/** How long a program may take to print its address, in milliseconds, before it is killed. */
const START_TIMEOUT = 120_000

/** Rejects with the program's standard error if it ends before it prints its address. */
export async function spokenOrigin(child: ChildProcessWithoutNullStreams): Promise<string> {
  let complaints = ''
  child.stderr.on('data', (chunk: Buffer) => {
    complaints += chunk.toString()
  })
  const late = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT)
  const origin = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, port] = /(?:http:\/\/[\w.]+:|\bport: )([1-9]\d*)/.exec(line) ?? []
      if (port) resolve(`http://127.0.0.1:${port}`)
    })
    child.once('close', () => {
      reject(new Error(`the example has ended: ${complaints}`))
    })
  })
  return await origin.finally(() => {
    clearTimeout(late)
  })
}
