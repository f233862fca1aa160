import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toolPath } from '../support/required-tools.js'
import { reservedPort } from '../support/reserved-port.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { guard, own, startProgram } from '../support/postgresql/unprivileged.js'

export type Bouncer = {
  /** The address of the database through pgbouncer. */
  readonly url: string
  /** Sends SIGKILL, and starts pgbouncer again. */
  readonly restart: () => Promise<void>
  readonly remove: () => Promise<void>
}

/** Whether pgbouncer assigns a server connection to each transaction or to each client connection. */
export type PoolMode = 'transaction' | 'session'

/** Starts pgbouncer in front of the database at this address. In transaction mode, pgbouncer has one connection to the server. */
export async function startBouncer(databaseUrl: string, mode: PoolMode = 'transaction'): Promise<Bouncer> {
  const { path: folder } = makeTemporaryFolder()
  own(folder)
  const port = String(await reservedPort())
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, configurationOf(new URL(databaseUrl), folder, port, mode))
  const program = toolPath('pgbouncer')
  const start = () => startProgram(program, [file], /process up/)
  const remove = guard('kill -KILL "$(cat "$1/pid")"', program, folder)
  let child = await start()
  return {
    url: Object.assign(new URL(databaseUrl), { port }).href,
    restart: async () => {
      child.kill('SIGKILL')
      await once(child, 'close')
      child = await start()
    },
    remove,
  }
}

function configurationOf(
  { hostname, port, username, pathname }: URL,
  folder: string,
  ownPort: string,
  mode: PoolMode,
): string {
  return `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
pidfile = ${folder}/pid
auth_type = any
pool_mode = ${mode}
default_pool_size = ${mode === 'transaction' ? '1' : '10'}
`
}
