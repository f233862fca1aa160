import { generatePassphrase, passphraseError, passphraseWarning } from '../adapters/keyring/index.js'
import { parseSender } from '../adapters/nodemailer/sender.js'
import { parseSmtpUrl } from '../adapters/nodemailer/server.js'
import { hashCostError } from '../adapters/scrypt/cost.js'
import { systemRandomness } from '../adapters/system/index.js'
import { typedPath } from '../configuration/environment.js'
import { loadConfiguration, type EnvironmentConfiguration } from '../configuration/from-environment.js'
import type { AdapterRules } from '../configuration/reader.js'

/** What the adapters know of good values of settings. */
export const ADAPTER_RULES: AdapterRules = {
  passphraseError,
  hashCostError,
  isSender: (text) => parseSender(text) !== undefined,
  isSmtpUrl: (text) => parseSmtpUrl(text) !== undefined,
}

/** How a passphrase for development is made, with 256 bit of the system's randomness, and judged. */
export const PASSPHRASES = { generate: () => generatePassphrase(systemRandomness), passphraseError }

/** Reads everything that is read before anything is opened; throws a `ConfigurationError` with all that is wrong with it. */
export function readSetup(storeModule?: string): EnvironmentConfiguration {
  const isPath = storeModule?.startsWith('.') === true
  const typedModule = isPath ? typedPath(storeModule) : storeModule
  return loadConfiguration({ ...ADAPTER_RULES, passphraseWarning }, { storeModule: typedModule })
}
