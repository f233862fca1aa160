import { mkdir } from 'node:fs/promises'
import { once } from 'node:events'
import { MongoMemoryServer } from 'mongodb-memory-server-core'
import { toolPath } from '../support/required-tools.js'
import { stopProcess } from '../support/stop-process.js'

export type Node = {
  readonly host: string
  /** The server's address, to which a database name and options can be appended. */
  readonly url: string
  /** Sends SIGKILL; resolves when the process has ended. Does nothing if there is no process. */
  readonly kill: () => Promise<void>
  /** Sends SIGSTOP: connections stay open but get no reply. Resolves when the process has stopped. */
  freeze(): Promise<void>
  thaw(): void
  /** Starts the server again with the same files and port; resolves when it accepts connections. */
  restart(): Promise<void>
}

export type NodeOptions = {
  readonly folder: string
  readonly replSet?: string
  readonly obeysFailPoints?: boolean
  readonly user?: { readonly name: string; readonly password: string }
}

const SMALL = ['--wiredTigerCacheSizeGB', '0.25', '--setParameter', 'diagnosticDataCollectionEnabled=false']
const LAUNCH_TIMEOUT = 120_000

export async function startNode({ folder, replSet, user, obeysFailPoints }: NodeOptions): Promise<Node> {
  const systemBinary = toolPath('mongod')
  await mkdir(folder, { recursive: true })
  // Any version is accepted, so the version check must not warn.
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] = 'false'
  const parameters = obeysFailPoints === true ? ['--setParameter', 'enableTestCommands=1'] : []
  const start = (port?: number) =>
    MongoMemoryServer.create({
      binary: { systemBinary },
      instance: {
        dbPath: folder,
        storageEngine: 'wiredTiger',
        launchTimeout: LAUNCH_TIMEOUT,
        args: [...SMALL, ...parameters],
        ...(replSet !== undefined && { replSet, args: [...SMALL, ...parameters, '--oplogSize', '64'] }),
        ...(port !== undefined && { port, portGeneration: false }),
      },
      ...(user && { auth: { enable: true, customRootName: user.name, customRootPwd: user.password } }),
    })
  let server = await start()
  const { port } = instanceOf(server)
  const host = `127.0.0.1:${String(port)}`
  return {
    host,
    url: `mongodb://${host}/`,
    kill: () => kill(server),
    freeze: async () => {
      const pid = processOf(server)?.pid
      if (pid !== undefined) await stopProcess(pid)
    },
    thaw: () => void processOf(server)?.kill('SIGCONT'),
    restart: async () => {
      server = await start(port)
    },
  }
}

function instanceOf(server: MongoMemoryServer) {
  const { instanceInfo } = server
  if (!instanceInfo) throw new Error('the server has not been started')
  return instanceInfo
}

function processOf(server: MongoMemoryServer) {
  return instanceOf(server).instance.mongodProcess
}

async function kill(server: MongoMemoryServer): Promise<void> {
  const child = processOf(server)
  if (child?.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'close')
    child.kill('SIGKILL')
    await gone
  }
  await server.stop({ doCleanup: false })
}
