import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { createCommandSecrets, showsSecret } from './command-secrets.js'
import type { Store } from '../../src/ports/store.js'
import { openAt } from '../support/open-at.js'
import { SERVER_STORE } from '../support/server-stores.js'
import { runInProcess } from './in-process.js'
import { outcomeOf, type Outcome } from '../support/outcome.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

export const APP = join(import.meta.dirname, '..', '..', '..', 'bin', 'app.js')

/**
 * A separate folder with a separate store (a SQLite file, or a database on the server of the run), and the real
 * command in it. All output of its commands is searched for secrets; a command rejects if one is found.
 */
export type Workplace = {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Runs one command to its end, in this process; standard input is closed after `input`. */
  app(args: readonly string[], options?: CommandOptions): Promise<Outcome>
  /** Runs one command, given as words separated by spaces, and returns its exit status and the JSON document that it printed. */
  run(command: string, options?: CommandOptions): Promise<readonly [code: number | null, printed: unknown]>
  /** Runs the command in a child process: for `serve`, for concurrent commands, and for tests of the process itself. */
  child(args: readonly string[], options?: CommandOptions): Promise<Outcome>
  start(args: readonly string[], options?: CommandOptions): ChildProcessWithoutNullStreams
  killAtEnd<Child extends ChildProcess>(child: Child): Child
  /** Runs a shell command line, in which `app` stands for the command under test, in a child process. */
  shell(text: string): Promise<Outcome>
  /** Starts `serve` on a free port, and resolves when the service is ready. */
  serve(env?: Record<string, string>, options?: { args?: readonly string[] }): Promise<Serving>
  onStore(work: (store: Store) => Promise<unknown>): Promise<void>
  /** Stops child processes, and searches the logs of `serve` for secrets. */
  remove(): Promise<void>
}

export type CommandOptions = {
  readonly env?: Record<string, string>
  readonly input?: string | Uint8Array
  readonly folder?: string
}

export type Serving = {
  readonly origin: string
  readonly child: ChildProcessWithoutNullStreams
  readonly log: () => string
  /** Resolves with the exit code of the process, or with the signal that ended the process. */
  readonly ended: Promise<number | string | null>
  /** Sends SIGTERM, and resolves like `ended`. */
  readonly stop: () => Promise<number | string | null>
  readonly logIn: (email: string, password: string) => Promise<Response>
}

/** Creates a workplace for each test of the surrounding `describe`, and removes it afterwards; `shared` creates one for all tests. */
export function workplaceOfTests({ shared = false, store = true } = {}): Workplace {
  let place: Workplace | undefined
  const make = async () => {
    place = await makeWorkplace({ store })
  }
  const remove = () => place?.remove()
  if (shared) {
    before(make)
    after(remove)
  } else {
    beforeEach(make)
    afterEach(remove)
  }
  return new Proxy({} as Workplace, {
    get: (_target, name: keyof Workplace): unknown => {
      if (!place) throw new Error('there is a workplace during tests only')
      return Reflect.get(place, name)
    },
  })
}

/**
 * The minimal environment of a command, on a free port, without the developer's environment. Without
 * WORKERS, a service in production would start one process for each core of the machine.
 */
const BARE = {
  PATH: process.env['PATH'] ?? '',
  PASSWORD_SCRYPT: '10/8/1',
  HOME: tmpdir(),
  PORT: '0',
  WORKERS: '1',
}

/**
 * Creates a workplace with an empty store. With `store: false` there is no store and no DATABASE_URL, so commands use the default location.
 */
export async function makeWorkplace({ store = true } = {}): Promise<Workplace> {
  const { path: folder, remove } = makeTemporaryFolder()
  const database = await SERVER_STORE?.freshDatabase()
  const url = database?.url ?? `sqlite:${join(folder, 'app.db')}`
  const open = () => openAt(url)
  if (store) await (await open()).close()
  const env = { ...BARE, ...(store && { DATABASE_URL: url }) }
  const children: ChildProcess[] = []
  const killAtEnd = <Child extends ChildProcess>(child: Child): Child => {
    children.push(child)
    return child
  }
  const secrets = createCommandSecrets(folder)
  const logs: (() => string)[] = []
  const start = (
    args: readonly string[],
    { env: more = {}, input = '', folder: cwd = folder }: CommandOptions = {},
  ) => {
    const all = { ...env, ...more }
    secrets.given({ args, env: all, input })
    return killAtEnd(spawn(process.execPath, [APP, ...args], { cwd, env: all }))
  }
  const searched = (args: readonly string[], outcome: Outcome): Outcome => {
    const command = `the output of app ${args.slice(0, 2).join(' ')}`
    if (showsSecret(args) && outcome.code === 0) secrets.shown(outcome.stdout)
    else secrets.expectNoneIn(outcome.stdout, command)
    secrets.expectNoneIn(outcome.stderr, command)
    return outcome
  }
  const app: Workplace['app'] = async (args, { env: more, input = '', folder: cwd = folder } = {}) => {
    const given = { program: APP, args, env: { ...env, ...more }, folder: cwd, input }
    secrets.given(given)
    return searched(args, await runInProcess(given))
  }
  return {
    folder,
    env,
    app,
    run: async (command, options) => {
      const { code, stdout } = await app(command.split(' '), options)
      return [code, JSON.parse(stdout)]
    },
    child: async (args, options = {}) => {
      const child = start(args, options)
      // A command that does not read its input may have ended before the input is written.
      child.stdin.on('error', () => undefined)
      child.stdin.end(options.input)
      return searched(args, await outcomeOf(child))
    },
    start,
    killAtEnd,
    shell: async (text) => {
      const app = `app() { "${process.execPath}" "${APP}" "$@"; }\n`
      return await outcomeOf(killAtEnd(spawn('bash', ['-c', app + text], { cwd: folder, env })))
    },
    serve: async (more, { args = [] } = {}) => {
      const service = await serving(start(['serve', ...args], { env: { PORT: '0', ...more } }))
      logs.push(service.log)
      return service
    },
    onStore: async (work) => {
      const opened = await open()
      try {
        await work(opened)
      } finally {
        await opened.close()
      }
    },
    remove: async () => {
      // Child processes of a failed test may still be running.
      for (const child of children) child.kill('SIGKILL')
      await database?.drop()
      try {
        for (const log of logs) secrets.expectNoneIn(log(), 'the log of app serve')
      } finally {
        remove()
      }
    },
  }
}

/** Resolves when the service is ready; rejects with the service's output if the service ends first. */
export async function serving(child: ChildProcessWithoutNullStreams): Promise<Serving> {
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
  const stop = async () => {
    child.kill('SIGTERM')
    return await ended
  }
  const logIn = async (email: string, password: string) => {
    const headers = { 'Content-Type': 'application/json', Connection: 'close' }
    const body = JSON.stringify({ email, password })
    return await fetch(`${origin}/api/auth/login`, { method: 'POST', headers, body })
  }
  return { origin, child, log: () => logged, ended, stop, logIn }
}

/** Returns headers with the credentials of a login reply. */
export async function credentialsIn(login: Response) {
  const { view } = (await login.json()) as { view?: { jwt?: string } }
  const [Cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';')
  return { Cookie, 'X-Authorization': `Bearer ${view?.jwt ?? ''}` }
}

/** A configuration that production accepts. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://pets.example',
  SECURITY_JWT_PASSPHRASE: 'Only-for-tests: 4 kennels & 12 hounds',
}

/** Expects exit status 2 and nothing on standard output; returns standard error as one line. */
export async function wrongUsageOf(
  place: Workplace,
  command: string | readonly string[],
  options?: CommandOptions,
): Promise<string> {
  const args = typeof command === 'string' ? command.split(' ') : command
  const { code, stdout, stderr } = await place.app(args, options)
  expect([code, stdout], args.join(' ')).to.deep.equal([2, ''])
  return stderr.replace(/[\s›]+/g, ' ')
}
