// Another process that starts at the same time: tells the passphrase that it would use.
import { generatePassphrase } from '../../src/adapters/keyring/passphrase.js'
import { systemRandomness } from '../../src/adapters/system/index.js'
import { developmentPassphrase } from '../../src/configuration/development-passphrase.js'

const folder = process.argv[2] ?? ''
const { passphrase } = developmentPassphrase(folder, () => generatePassphrase(systemRandomness))
process.stdout.write(`${passphrase}\n`)
