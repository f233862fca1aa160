// Reads the environment of the process; no other module reads `process.env`.
import type { Stats } from 'node:fs'
import { availableParallelism, hostname, userInfo } from 'node:os'
import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import { codeOf, decodeUtf8, withOpenedFile } from './opened-file.js'
import { IN_QUOTES, unquoted } from './reader.js'

export type EnvironmentError = { readonly variable: string; readonly sentence: string }

export type Environment = {
  readonly variables: Readonly<Record<string, string | undefined>>
  readonly errors: readonly EnvironmentError[]
}

/**
 * Reads the variables of the process and of `.env` in the current folder. If both define a variable, the value from the process takes
 * precedence, even if it is empty. `<NAME>_FILE` may name a file with a secret; one trailing line break is not part of the secret. This
 * file is the only file that reads the environment.
 */
export function readEnvironment(options: {
  readonly secrets: readonly string[]
  /** Variables that cause code to be run: `.env` may set them only if no user except root and `userId` can change the file. */
  readonly trusted?: readonly string[]
  readonly folder?: string
  readonly variables?: Readonly<Record<string, string | undefined>>
  /** The user who runs this process; `undefined` on Windows. */
  readonly userId?: number | undefined
}): Environment {
  const { secrets, trusted = [], folder = process.cwd(), variables = process.env } = options
  const { userId = process.getuid?.() } = options
  const dotenv = readDotenv(folder, userId)
  const merged = { ...dotenv.variables, ...variables }
  const errors = [...dotenv.errors]
  errors.push(...untrustedErrors(trusted, dotenv, variables))
  for (const name of secrets) {
    const secret = readSecretFile(name, merged, folder)
    if (secret.error !== undefined) errors.push({ variable: name, sentence: secret.error })
    else if (secret.text !== undefined) merged[name] = secret.text
  }
  return { variables: merged, errors }
}

type Dotenv = Environment & {
  /** Why `.env` must not name code to run; completes a sentence that begins with the name of a variable. */
  readonly distrust?: string | undefined
}

/** Returns an error for each variable that can run code and comes from a `.env` file that another user can change. */
function untrustedErrors(
  names: readonly string[],
  { variables: inDotenv, distrust }: Dotenv,
  variables: Environment['variables'],
): EnvironmentError[] {
  if (distrust === undefined) return []
  return names
    .filter((name) => (inDotenv[name] ?? '') !== '' && variables[name] === undefined)
    .map((name) => ({ variable: name, sentence: `${name} ${distrust}` }))
}

const FOREIGN =
  'is run as code, so .env can set it only if .env belongs to root or to the user who runs the command'
const WRITABLE =
  'is run as code, so .env can set it only if group and others cannot write to .env (chmod go-w .env)'

/** Windows has no file owners, no file modes and no user IDs. */
function distrustOf({ uid, mode }: Stats, userId: number | undefined): string | undefined {
  if (userId === undefined) return undefined
  if (uid !== 0 && uid !== userId) return FOREIGN
  return (mode & 0o022) === 0 ? undefined : WRITABLE
}

/**
 * Returns the number of cores and the size of the thread pool, which limit password hashing. `.env` cannot set the size of the thread pool,
 * which already exists.
 */
export function hostMachine(): { readonly cores: number; readonly threadPoolSize: number } {
  const asked = Number.parseInt(process.env['UV_THREADPOOL_SIZE'] ?? '', 10)
  const threadPoolSize = Number.isNaN(asked) ? LIBUV_THREADS : Math.min(Math.max(asked, 1), 1024)
  return { cores: availableParallelism(), threadPoolSize }
}

const LIBUV_THREADS = 4

export function processName(): string {
  return `${hostname()}/${process.pid}`
}

/**
 * Resolves a path argument against the folder in which the command was typed, because `kennel-app` changes to the configuration folder
 * before it starts the command. Returns `-` unchanged.
 */
export function typedPath(path: string): string {
  const { KENNEL_CALLED_FROM: folder = '' } = process.env
  return path === '-' ? path : resolve(folder, path)
}

export function nodeOptions(): string {
  return process.env['NODE_OPTIONS'] ?? ''
}

/** Excludes spaces and control characters, because audit records contain the name and any program can set the variable. */
const USER_NAME = /^[\w.@\\-]{1,64}$/

/**
 * Returns the name of the operator: the user who called `sudo`, so that operators who share the service's user can be told apart; otherwise
 * the user who runs this process, or the user ID if this user has no name.
 */
export function operatorName(variables: Environment['variables'] = process.env): string {
  const { SUDO_USER: caller = '' } = variables
  if (USER_NAME.test(caller)) return caller
  try {
    return userInfo().username
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`
  }
}

/**
 * Prepares the environment for oclif. Without this, oclif would read a theme from the user's home folder, and a broken theme would break
 * `--help`. Oclif and a package that it loads also look up the user's shell and home folder. Both oclif and this package fail if a user
 * without an entry in the password file has neither `SHELL` nor `HOME`.
 */
export function prepareForOclif(
  variables: Record<string, string | undefined> = process.env,
  lookUp: () => unknown = userInfo,
): void {
  variables['APP_DISABLE_THEME'] = 'true'
  try {
    lookUp()
  } catch {
    variables['SHELL'] ??= ''
    variables['HOME'] ||= '/nonexistent'
  }
}

function readDotenv(folder: string, userId: number | undefined): Dotenv {
  try {
    return withOpenedFile(resolve(folder, '.env'), ({ stats, read }) => {
      const decoded = decodeUtf8(read())
      if (decoded.text !== undefined)
        return { variables: parseEnv(decoded.text), errors: [], distrust: distrustOf(stats, userId) }
      const sentence = `.env must be UTF-8 but is ${decoded.encoding}: save it as UTF-8`
      return { variables: {}, errors: [{ variable: '.env', sentence }] }
    })
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
  if (unquoted(path) !== undefined) return { error: `${name}_FILE ${IN_QUOTES}` }
  if ((variables[name] ?? '') !== '') return { error: `${name} and ${name}_FILE are both set; remove one` }
  try {
    const decoded = withOpenedFile(resolve(folder, path), ({ read }) => decodeUtf8(read()))
    if (decoded.text === undefined)
      return { error: `${name}_FILE names a file that must be UTF-8 but is ${decoded.encoding}` }
    const text = decoded.text.replace(/\r?\n$/, '')
    return text === '' ? { error: `${name}_FILE names an empty file` } : { text }
  } catch (error) {
    return { error: `${name}_FILE names a file that cannot be read (${codeOf(error)})` }
  }
}
