import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSecrets } from '../support/secrets.js'

export type CommandInput = {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly input: string | Uint8Array
}

/**
 * Secrets that the commands in one folder must not show: passed-in secrets, generated secrets, and strings that look
 * like secrets.
 */
export type CommandSecrets = {
  given(given: CommandInput): void
  /** Throws an Error that names the kind of the first secret in the text, never the secret. */
  expectNoneIn(text: string, where: string): void
  /** Allows a command to show a new secret intentionally; from then on, no other command may show that secret. */
  shown(stdout: string): void
}

/** Patterns for the secrets of any process: tokens, keys, and 256 bits in base64url as in a session cookie or reset link. */
const FORMS: Readonly<Record<string, RegExp>> = {
  'JSON Web Token': /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/,
  'PASETO token': /\bv4\.(?:public|local)\.[\w-]{8,}/,
  'API key': /\bkennel_[\w-]{43}/,
  'session key or reset token': /(?<![\w-])[\w-]{43}(?![\w-])/,
  'Basic or Bearer header': /\b(?:Basic|Bearer) [\w+/.-]{8,}/,
}

const DEVELOPMENT_PASSPHRASES = ['development-passphrase', 'data/development-passphrase']

export function showsSecret(args: readonly string[]): boolean {
  const isAsked = ['apikey create', 'key generate'].includes(args.slice(0, 2).join(' '))
  return isAsked && !args.includes('--help') && !args.includes('--file')
}

export function createCommandSecrets(folder: string): CommandSecrets {
  const secrets = createSecrets()
  return {
    given: ({ args, env, input }) => {
      if (args.includes('--password-stdin')) secrets.remember('password', textOf(input).replace(/\r?\n$/, ''))
      for (const name of ['SECURITY_JWT_PASSPHRASE', 'SECURITY_JWT_PASSPHRASE_PREVIOUS'])
        secrets.remember('passphrase', env[name]?.replace(/"\]$/, ''))
      for (const name of ['DATABASE_URL', 'MAIL_URL']) secrets.remember('password', passwordOf(env[name]))
    },
    expectNoneIn: (text, where) => {
      for (const path of DEVELOPMENT_PASSPHRASES.map((one) => join(folder, one)))
        if (existsSync(path)) secrets.remember('passphrase', readFileSync(path, 'utf8').trimEnd())
      const kind = secrets.foundIn(text) ?? formIn(text)
      if (kind !== undefined) throw new Error(`a secret appears in ${where}: ${kind}`)
    },
    shown: (stdout) => {
      const [, secret] = /"(?:key|passphrase)": ?"([^"]+)"/.exec(stdout) ?? []
      // `key generate --plain` prints only the secret.
      secrets.remember('API key', secret ?? stdout.trimEnd())
    },
  }
}

function textOf(input: string | Uint8Array): string {
  return Buffer.from(input as string).toString()
}

function formIn(text: string): string | undefined {
  return Object.keys(FORMS).find((kind) => FORMS[kind]?.test(text))
}

function passwordOf(url = ''): string | undefined {
  return /^\w[\w+.-]*:\/\/[^/@:]*:([^/@]+)@/.exec(url)?.[1]
}
