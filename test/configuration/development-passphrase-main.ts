// Prints the passphrase of a process that starts at the same time as others.
import { PASSPHRASES } from '../../src/program/read-configuration.js'
import { developmentPassphrase } from '../../src/configuration/development-passphrase.js'

const folder = process.argv[2] ?? ''
const { passphrase } = developmentPassphrase(folder, PASSPHRASES)
process.stdout.write(`${passphrase}\n`)
