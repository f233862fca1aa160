import { passphraseError } from '../adapters/keyring/index.js'
import { parseSender } from '../adapters/nodemailer/message.js'
import { smtpUrlError } from '../adapters/nodemailer/server.js'
import { hashCostError } from '../adapters/scrypt/cost.js'
import type { AdapterRules } from '../configuration/reader.js'

/** The rules that adapters provide for setting values. */
export const ADAPTER_RULES: AdapterRules = {
  passphraseError,
  hashCostError,
  isSender: (text) => parseSender(text) !== undefined,
  smtpUrlError,
}
