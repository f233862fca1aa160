import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { PROJECT } from '../support/project.js'
import { sameMutation, type Mutation } from './mutants.js'

/** What the mutants of a piece came to. */
export type Result = {
  readonly piece: string
  readonly files: readonly string[]
  readonly mutants: number
  /** Noticed by a test that failed. */
  readonly killed: number
  /** Noticed as a test did not end. */
  readonly timeouts: number
  /** Noticed of all, in percent, those included that no test can notice. */
  readonly score: number
  readonly survivors: readonly Mutation[]
}

/** A mutation that changes nothing that can be seen, and why. */
export type Equivalent = Mutation & { readonly reason: string }

const FOLDER = join(PROJECT, 'test', 'mutation')
const resultFile = (piece: string) => join(FOLDER, 'results', `${piece}.json`)
const equivalentsFile = (piece: string) => join(FOLDER, 'equivalents', `${piece}.json`)

/** The result that is kept of a piece; nothing where there is none yet. */
export function keptResult(piece: string): Result | undefined {
  const file = resultFile(piece)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Result) : undefined
}

export async function keepResult(result: Result): Promise<void> {
  const file = resultFile(result.piece)
  mkdirSync(dirname(file), { recursive: true })
  const style = { ...(await resolveConfig(file)), filepath: file }
  writeFileSync(file, await format(JSON.stringify(result, null, 2), style))
}

export function equivalentsOf(piece: string): readonly Equivalent[] {
  const file = equivalentsFile(piece)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Equivalent[]) : []
}

/** The survivors that are not named as equivalent. */
export function unnamed({ piece, survivors }: Result): Mutation[] {
  const named = equivalentsOf(piece)
  return survivors.filter((survivor) => !named.some((one) => sameMutation(one, survivor)))
}
