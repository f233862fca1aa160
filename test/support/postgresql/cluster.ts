import { execFile, type ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { processesIn, until } from '../../cli/workers.js'
import { toolPath } from '../required-tools.js'
import { reservedPort } from '../reserved-port.js'
import { stopProcess } from '../stop-process.js'
import { guard, own, OWNER, startProgram } from './unprivileged.js'

/** A PostgreSQL server with separate files. */
export type Cluster = {
  readonly host: string
  readonly urlOf: (database?: string) => string
  /** Sends SIGKILL to all processes of the server; resolves when they have ended. Does nothing if no process is running. */
  readonly kill: () => Promise<void>
  /** Sends SIGSTOP: connections stay open but get no reply. Resolves when every process has stopped. */
  readonly freeze: () => Promise<void>
  readonly thaw: () => void
  /** Starts the server again with the same files and the same port; resolves when it accepts connections. */
  readonly restart: () => Promise<void>
  /** A standby that streams from this server, with its files in an empty folder. */
  readonly standby: (folder: string) => Promise<Cluster>
  /** Promotes a standby to primary; resolves when it accepts writes. */
  readonly promote: () => Promise<void>
  /** Stops the server and removes its folder. */
  readonly stop: () => Promise<void>
}

export type Settings = Readonly<Record<string, string>>

/** Used for a server that is never killed: commits do not wait for the disk. */
export const FAST: Settings = {
  ...{ fsync: 'off', full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: '0' },
  ...{ autovacuum: 'off', max_connections: '500', log_min_messages: 'log' },
}

const SUPERUSER = 'postgres'
/** The only role that needs a password. */
export const GUARDED = 'guarded'
/** The only role that needs TLS. */
export const ENCRYPTED = 'encrypted'

const ACCESS = `
host all ${GUARDED} 127.0.0.1/32 scram-sha-256
hostnossl all ${ENCRYPTED} 127.0.0.1/32 reject
host all all 127.0.0.1/32 trust
host replication all 127.0.0.1/32 trust
`
/**
 * As on most servers, the default collation does not sort by bytes, so SQL that needs byte order fails here unless it
 * requests that order. PostgreSQL 14 does not support these options.
 */
const SORTED = ['--locale-provider=icu', '--icu-locale=en']
const READY = /database system is ready to accept (?:read-only )?connections/
/** Creates a cluster in an empty folder and starts its server. */
export async function startCluster(folder: string, settings: Settings = {}): Promise<Cluster> {
  own(folder)
  const data = join(folder, 'data')
  const isOld = / 14\./.test(await run('initdb', ['--version']))
  const locale = ['--encoding=UTF8', '--locale=C', ...(isOld ? [] : SORTED)]
  await run('initdb', ['--no-sync', '-D', data, '-U', SUPERUSER, '-A', 'trust', ...locale])
  writeFileSync(join(data, 'pg_hba.conf'), ACCESS)
  return await startIn(folder, settings)
}

async function startIn(folder: string, settings: Settings): Promise<Cluster> {
  const data = join(folder, 'data')
  const port = String(await reservedPort())
  const host = `127.0.0.1:${port}`
  const all = { port, listen_addresses: '127.0.0.1', unix_socket_directories: '', ...settings }
  const urlOf = (database = 'postgres') => `postgresql://${SUPERUSER}@${host}/${database}`
  const end = guard('"$0" stop --silent -m immediate -D "$1/data"', programOf('pg_ctl'), folder)
  const signal = (name: NodeJS.Signals) => {
    for (const pid of processesIn(data)) {
      try {
        process.kill(pid, name)
      } catch (error) {
        // A process may end while the processes are listed.
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }
  }
  const thaw = () => signal('SIGCONT')
  let server = await startServer(data, all)
  return {
    ...{ host, urlOf, thaw },
    kill: async () => {
      signal('SIGKILL')
      await until(() => (server.exitCode ?? server.signalCode) !== null && processesIn(data).length === 0)
    },
    freeze: async () => {
      await Promise.all(processesIn(data).map(stopProcess))
    },
    restart: async () => {
      server = await startServer(data, all)
    },
    standby: async (other) => {
      own(other)
      const to = ['-D', join(other, 'data'), '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
      await run('pg_basebackup', [...to, '-d', urlOf()])
      return await startIn(other, settings)
    },
    promote: async () => {
      await run('pg_ctl', ['promote', '--silent', '-D', data])
    },
    stop: async () => {
      thaw()
      await end()
    },
  }
}

async function startServer(data: string, settings: Settings): Promise<ChildProcess> {
  const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return await startProgram(programOf('postgres'), ['-D', data, ...args], READY)
}

function programOf(name: string): string {
  return join(toolPath('postgres'), name)
}

async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(programOf(program), args, OWNER)
  return stdout
}
