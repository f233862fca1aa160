import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freshDatabase, RUNS_ON_MONGODB } from '../mongodb/server.js'

export const APP = join(process.cwd(), 'bin', 'app.js')

export type Outcome = { readonly code: number | null; readonly stdout: string; readonly stderr: string }

/** A folder of its own with a store of its own (a SQLite file, or a MongoDB database where the run says so), and the real command in it. */
export type Workplace = {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Runs one command to its end; standard input is closed after `input`. */
  app(
    args: readonly string[],
    options?: { env?: Record<string, string>; input?: string | Uint8Array; folder?: string },
  ): Promise<Outcome>
  /** Starts `serve` on a free port and resolves when it is ready. */
  serve(env?: Record<string, string>): Promise<Serving>
  remove(): Promise<void>
}

export type Serving = {
  readonly origin: string
  readonly child: ChildProcessWithoutNullStreams
  /** What it has logged so far. */
  readonly log: () => string
  /** Resolves with the exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>
}

/** Only what a command needs to run at all: nothing of the tester's own environment reaches it. */
const BARE = { PATH: process.env['PATH'] ?? '', PASSWORD_SCRYPT: '10/8/1', HOME: tmpdir() }

export async function makeWorkplace(): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'kennel-cli-'))
  const mongodb = RUNS_ON_MONGODB ? freshDatabase() : undefined
  const env = { ...BARE, DATABASE_URL: mongodb?.url ?? `sqlite:${join(folder, 'app.db')}` }
  const children: ChildProcessWithoutNullStreams[] = []
  const start = (args: readonly string[], more: Record<string, string> = {}, cwd = folder) => {
    const child = spawn(process.execPath, [APP, ...args], { cwd, env: { ...env, ...more } })
    children.push(child)
    return child
  }
  return {
    folder,
    env,
    app: async (args, { env: more, input = '', folder: cwd } = {}) => {
      const child = start(args, more, cwd)
      // A command that does not read its input may be gone before it is written.
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close') as Promise<[number | null]>,
      ])
      return { code, stdout, stderr }
    },
    serve: (more) => serving(start(['serve'], { PORT: '0', ...more })),
    remove: async () => {
      // Those of a test that has failed are still there.
      for (const child of children) child.kill('SIGKILL')
      await mongodb?.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function serving(child: ChildProcessWithoutNullStreams): Promise<Serving> {
  let logged = ''
  const ended = once(child, 'close').then(
    ([code, signal]: (number | string | null)[]) => code ?? signal ?? null,
  )
  const origin = await new Promise<string>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      logged += chunk.toString()
      const address = /"address":"([^"]+)".*"event":"ready"/.exec(logged)?.[1]
      if (address !== undefined) resolve(address)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    void ended.then((code) => {
      reject(new Error(`serve ended with ${String(code)} before it was ready: ${logged}`))
    })
  })
  return { origin, child, log: () => logged, ended }
}
