import { readFileSync } from 'node:fs'
import { availableParallelism, userInfo } from 'node:os'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'

/** What stands in the way of reading a variable; the sentence holds no value. */
export type EnvironmentError = { readonly variable: string; readonly sentence: string }

export type Environment = {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly errors: readonly EnvironmentError[]
}

/**
 * The variables of the process and of `.env` in the current folder; where both have one, the
 * process's wins, also when it is empty. A secret may be given as `<NAME>_FILE`, the path of a
 * file that holds it; one line end at the file's end is not part of it. Read here and nowhere
 * else.
 */
export function readEnvironment(options: {
  /** Names of the variables that may come from a file. */
  readonly secrets: readonly string[]
  readonly folder?: string
  readonly variables?: Readonly<Record<string, string | undefined>>
}): Environment {
  const { secrets, folder = process.cwd(), variables = process.env } = options
  const dotenv = readDotenv(folder)
  const merged = { ...dotenv.variables, ...variables }
  const errors = [...dotenv.errors]
  for (const name of secrets) {
    const secret = readSecretFile(name, merged, folder)
    if (secret.error !== undefined) errors.push({ variable: name, sentence: secret.error })
    else if (secret.text !== undefined) merged[name] = secret.text
  }
  return { variables: merged, errors }
}

/**
 * What hashing can count on. Only the real environment sets libuv's pool: it is made before any
 * of our code runs.
 */
export function hostMachine(): { readonly cores: number; readonly threadPoolSize: number } {
  const asked = Number.parseInt(process.env['UV_THREADPOOL_SIZE'] ?? '', 10)
  const threadPoolSize = Number.isNaN(asked) ? LIBUV_THREADS : Math.min(Math.max(asked, 1), 1024)
  return { cores: availableParallelism(), threadPoolSize }
}

const LIBUV_THREADS = 4

/** What Node itself was told by its variable; only the real environment tells it. */
export function nodeOptions(): string {
  return process.env['NODE_OPTIONS'] ?? ''
}

/** The user of the operating system that this process runs as; a number where it has no name. */
export function operatingSystemUser(): string {
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

function readDotenv(folder: string): {
  variables: Record<string, string | undefined>
  errors: EnvironmentError[]
} {
  try {
    return { variables: parseEnv(readFileSync(resolve(folder, '.env'), 'utf8')), errors: [] }
  } catch (error) {
    const code = codeOf(error)
    const sentence = `.env cannot be read (${code})`
    return { variables: {}, errors: code === 'ENOENT' ? [] : [{ variable: '.env', sentence }] }
  }
}

function readSecretFile(
  name: string,
  variables: Readonly<Record<string, string | undefined>>,
  folder: string,
): { readonly text?: string; readonly error?: string } {
  const path = variables[`${name}_FILE`] ?? ''
  if (path === '') return {}
  if ((variables[name] ?? '') !== '')
    return { error: `${name} and ${name}_FILE are both set; set one of them` }
  try {
    const bytes = readFileSync(resolve(folder, path))
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes).replace(/\r?\n$/, '')
    return text === '' ? { error: `${name}_FILE names an empty file` } : { text }
  } catch (error) {
    return { error: `${name}_FILE names a file that cannot be read (${codeOf(error)})` }
  }
}

/** Only the code: the message of a file's error repeats the path, which may be a misplaced secret. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error && typeof error.code === 'string')) return 'unknown reason'
  return error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA' ? 'not UTF-8' : error.code
}
