import { mkdir } from 'node:fs/promises'
import { once } from 'node:events'
import { MongoMemoryServer } from 'mongodb-memory-server-core'
import { toolPath } from '../support/required-tools.js'
import { stopProcess } from '../support/stop-process.js'

/** One mongod of the test's own, to be killed and frozen at will. */
export type Node = {
  readonly host: string
  /** The bare address; a database name and options may follow. */
  readonly url: string
  /** SIGKILL; resolves when the process is gone. Without a process it does nothing. */
  readonly kill: () => Promise<void>
  /** SIGSTOP: connections stay open and nothing answers. Resolves when that is so. */
  freeze(): Promise<void>
  /** SIGCONT. */
  thaw(): void
  /** Starts again on the same files and the same port; resolves when connections are accepted. */
  restart(): Promise<void>
}

export type NodeOptions = {
  /** An empty folder for this node alone. */
  readonly folder: string
  /** Name of the replica set that it is to be a member of. */
  readonly replSet?: string
  /** Takes orders to fail: `configureFailPoint`. */
  readonly obeysFailPoints?: boolean
  /** A user who may do everything; without one no login is needed. */
  readonly user?: { readonly name: string; readonly password: string }
}

const SMALL = ['--wiredTigerCacheSizeGB', '0.25', '--setParameter', 'diagnosticDataCollectionEnabled=false']
const LAUNCH_TIMEOUT = 120_000

export async function startNode({ folder, replSet, user, obeysFailPoints }: NodeOptions): Promise<Node> {
  const systemBinary = toolPath('mongod')
  await mkdir(folder, { recursive: true })
  // Any version will do, so there is nothing to warn about.
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
