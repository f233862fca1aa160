import { parseArgs, type ParseArgsConfig } from 'node:util'

/** Thrown for an invalid argument; the message gives the reason and lists the alternatives. */
export class UsageError extends Error {}

/** Throws a UsageError that ends with the usage. */
export function parseArguments<const Config extends ParseArgsConfig>(
  config: Config,
  usage: string,
): ReturnType<typeof parseArgs<Config>> {
  try {
    return parseArgs(config)
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n${usage}`)
  }
}

type Named = { readonly name: string }

/** Throws a UsageError that lists the known names if a name is unknown. */
export function checkNames(kind: string, names: readonly string[], items: readonly Named[]): void {
  const unknown = names.filter((name) => !items.some((item) => item.name === name))
  if (unknown.length > 0)
    throw new UsageError(`There is no ${kind} ${unknown.join(', ')}. There are ${namesOf(items)}.`)
}

export function namesOf(items: readonly Named[]): string {
  return items.map(({ name }) => name).join(', ')
}

type Range = { readonly least: number; readonly most: number; readonly isWhole: boolean }

/** Returns the numeric value of an option. Throws a UsageError. */
export function numberOf(option: string, text: string, { least, most, isWhole }: Range): number {
  const value = Number(text)
  const isNumber = text.trim() !== '' && (!isWhole || Number.isInteger(value))
  if (isNumber && value >= least && value <= most) return value
  throw new UsageError(`--${option} takes a ${isWhole ? 'whole number' : 'number'} from ${least} to ${most}.`)
}

/** Runs a program and sets its exit code. A UsageError is printed, and the exit code is 2. */
export async function runProgram(work: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await work()
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    console.error(error.message)
    process.exitCode = 2
  }
}
