import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { tmpdir } from 'node:os'
import { NODES, type Node } from '../support/nodes.js'
import { outcomeOf, type Outcome } from '../support/outcome.js'
import { rotating } from '../support/rotation.js'

/**
 * The commit's hash selects a Node version, and successive `place` numbers get different versions. The complete matrix uses all versions.
 */
export function someNodes(place: number): readonly Node[] {
  const first = place % NODES.length
  return rotating([...NODES.slice(first), ...NODES.slice(0, first)], 1)
}

export type RunOptions = {
  readonly folder: string
  readonly env?: Readonly<Record<string, string>>
}

/** The minimal environment of a program, without anything from the developer's environment. */
const BARE = { PATH: process.env['PATH'] ?? '', HOME: tmpdir(), TMPDIR: tmpdir() }

export function start(
  { binary }: Pick<Node, 'binary'>,
  args: readonly string[],
  { folder, env }: RunOptions,
  timeout?: number,
): ChildProcessWithoutNullStreams {
  return spawn(binary, args, { cwd: folder, env: { ...BARE, ...env }, timeout })
}

/** The maximum run time of a program in milliseconds. A program that runs longer is killed and has no exit code. */
const TIMEOUT = 120_000

/** Runs a Node program until it exits; standard input ends after `input`. */
export async function run(
  node: Node,
  args: readonly string[],
  { input = '', ...options }: RunOptions & { readonly input?: string },
): Promise<Outcome> {
  const child = start(node, args, options, TIMEOUT)
  // A program that does not read its input may have ended before the input is written.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return await outcomeOf(child)
}

export const SETTINGS = {
  SECURITY_JWT_PASSPHRASE: 'Only-for-tests: 4 kennels & 12 hounds',
  PUBLIC_URL: 'http://127.0.0.1:3000',
}
