// Another process that starts at the same time: tells the passphrase that it would use.
import { passphraseError } from '../../src/adapters/keyring/passphrase.js'
import { generate } from '../../src/composition-root/key-generation.js'
import { developmentPassphrase } from '../../src/configuration/development-passphrase.js'

const folder = process.argv[2] ?? ''
const { passphrase } = developmentPassphrase(folder, { generate, passphraseError })
process.stdout.write(`${passphrase}\n`)
