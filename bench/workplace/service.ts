import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { startServer, type Place, type ServerOptions, type ServerProcess } from './processes.js'
import type { Workplace } from './workplace.js'

/** The root folder of the repository. */
export const CHECKOUT = folderOfPackage(import.meta.dirname)
export const APP = join(CHECKOUT, 'bin', 'app.js')

/** Starts the real service on the store of a workplace. */
export function startService(place: Workplace, on: Place = 'server'): Promise<ServerProcess> {
  return startServer({ args: [APP, 'serve', '--create'], place: on, env: place.env })
}

/** Starts the real service with its log in a file and, by default, with metrics. */
export async function startLoggedService(
  place: Workplace,
  env: Readonly<Record<string, string>> = { METRICS_PORT: '0' },
): Promise<ServerProcess> {
  return await startLogged(place, (port) => ({
    args: [APP, 'serve', '--create'],
    env: { ...place.env, ...env, PORT: String(port) },
  }))
}

/** Starts a server on a free port, with its log in a file. */
export async function startLogged(
  { folder }: Workplace,
  optionsOf: (port: number) => Omit<ServerOptions, 'place' | 'aside'>,
): Promise<ServerProcess> {
  const port = await freePort()
  const aside = { address: `http://127.0.0.1:${port}`, file: join(folder, `${port}.log`) }
  return await startServer({ ...optionsOf(port), place: 'server', aside })
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

function folderOfPackage(start: string): string {
  return existsSync(join(start, 'package.json')) ? start : folderOfPackage(dirname(start))
}
