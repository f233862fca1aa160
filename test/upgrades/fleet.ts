import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { serving, type Serving } from '../cli/app.js'
import { until } from '../cli/workers.js'
import { createClient, type Client } from '../support/http/client.js'
import { outcomeOf } from '../support/outcome.js'
import { told } from '../withstand/journal.js'
import type { Build } from './builds.js'

export type Fleet = Awaited<ReturnType<typeof startFleet>>

type Instance = { readonly serving: Serving; readonly client: Client; running: number }

type FleetOptions = { readonly folder: string; readonly env: Readonly<Record<string, string>> }

/** Two instances that share one store, behind a load balancer that removes an instance before the instance stops. */
export async function startFleet(build: Build, { folder, env }: FleetOptions) {
  const places: (Instance | undefined)[] = []
  const children: Serving['child'][] = []
  const failures: string[] = []
  let [turn, closed] = [0, false]

  function run({ folder: program }: Build, args: readonly string[]): Serving['child'] {
    const child = spawn(process.execPath, [join(program, 'bin', 'app.js'), ...args], { cwd: folder, env })
    children.push(child)
    return child
  }

  const launch = (build: Build) => serving(run(build, ['serve']))

  async function start(place: number, build: Build): Promise<void> {
    const started = await launch(build)
    places[place] = { serving: started, client: createClient(started.origin, () => undefined), running: 0 }
  }

  async function stop(place: number): Promise<void> {
    const instance = places[place]
    if (!instance) return
    places[place] = undefined
    await until(() => instance.running === 0)
    instance.client.close()
    const status = await instance.serving.stop()
    if (status !== 0) failures.push(`an instance ended with ${String(status)}: ${instance.serving.log()}`)
  }

  async function next(): Promise<Instance> {
    const present = () => places.filter((one) => one !== undefined)
    await until(() => present().length > 0 || closed)
    if (closed) throw new Error('the instances have been ended')
    return present()[(turn += 1) % present().length] as Instance
  }

  const call: Client['call'] = async (method, path, ...rest) => {
    const instance = await next()
    instance.running += 1
    try {
      const reply = await instance.client.call(method, path, ...rest)
      if (reply.status >= 500)
        failures.push(`${method} ${path} got ${told(reply)}\n${lastErrorOf(instance.serving)}`)
      return reply
    } finally {
      instance.running -= 1
    }
  }

  const close = async () => {
    closed = true
    for (const instance of places) instance?.client.close()
    for (const child of children) child.kill('SIGKILL')
    await Promise.all(children.map(ended))
  }
  try {
    for (const place of [0, 1]) await start(place, build)
  } catch (error) {
    await close()
    throw error
  }
  return {
    /** Sends each request to the next instance; requests wait while there is no instance. */
    client: { call, close: () => undefined } satisfies Client,
    failures,
    /** Replaces one instance while the other instance handles the requests. */
    replace: async (place: number, build: Build) => {
      await stop(place)
      await start(place, build)
    },
    replaceAll: async (build: Build) => {
      await Promise.all([stop(0), stop(1)])
      await start(0, build)
      await start(1, build)
    },
    /** Starts a third instance. Resolves with its output if it exits by itself; otherwise stops it and resolves with `undefined`. */
    refusalOf: async (build: Build) => {
      const outcome = await launch(build).catch((error: unknown) => String(error))
      if (typeof outcome === 'string') return outcome
      await outcome.stop()
      return undefined
    },
    statusOf: async (build: Build, ...args: readonly string[]) => (await outcomeOf(run(build, args))).code,
    close,
  }
}

async function ended(child: Serving['child']): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close')
}

function lastErrorOf({ log }: Serving): string {
  return (
    log()
      .split('\n')
      .findLast((line) => line.includes('"level":"error"')) ?? 'no error in the log'
  )
}
