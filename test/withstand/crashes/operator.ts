import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { APP, type Workplace } from '../../cli/app.js'
import type { Gate } from './gate.js'

/** Runs the commands of an operator, each in a process of its own in the folder of the service. */
export type Operator = {
  /** True where the command says that it is done; `undefined` where it is unknown: then only after all that was killed is back. */
  run(...args: readonly string[]): Promise<true | undefined>
}

export function createOperator(place: Pick<Workplace, 'folder' | 'env'>, gate: Gate): Operator {
  return {
    run: async (...args) => {
      if (await commandEnds(place, args)) return true
      await gate.passed()
      return undefined
    },
  }
}

/** Whether the command ends with status 0. */
async function commandEnds(
  place: Pick<Workplace, 'folder' | 'env'>,
  args: readonly string[],
): Promise<boolean> {
  return (await refusalOf(place, args)) === undefined
}

/** What a command prints that does not end with status 0. */
export async function refusalOf(
  { folder, env }: Pick<Workplace, 'folder' | 'env'>,
  args: readonly string[],
): Promise<string | undefined> {
  const child = spawn(process.execPath, [APP, ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return code === 0 ? undefined : `${stdout}${stderr}`
}
