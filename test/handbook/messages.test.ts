import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { SETTING_NAMES, SETTINGS } from '../../src/configuration/settings.js'
import { casesFor } from '../configuration/reader-cases.js'
import { PROJECT, textOf, withPlanted } from '../support/project.js'

type Finder = {
  readonly operatorMessages: (
    project: string,
    variableOf: (setting: string) => string | undefined,
  ) => string[]
}

/** The messages of the page, as a reader finds them. */
const messages = () =>
  Array.from(
    textOf('docs/operate/messages.md').matchAll(/^[|-] (?:`` ?(.+?) ?``|`([^`]+)`)/gm),
    ([, withCode, plain]) => withCode ?? plain ?? '',
  )
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, '\\$&')
const patternOf = (message: string) => new RegExp(`^${message.split('…').map(escaped).join('.*')}$`, 's')
/** Matches messages about choices, such as "must be strict, lax or none". */
const CHOICE = /must be (?:\S+, )*\S+ or \S+$|must be \S+$/

/** Reads the messages of a copy of the sources, in which `change` may break something. */
async function found(change: (folder: string) => void): Promise<string[]> {
  const finder = pathToFileURL(join(PROJECT, 'scripts/reference/operator-messages.js')).href
  const { operatorMessages } = (await import(finder)) as Finder
  return await withPlanted({}, (folder) => {
    for (const part of ['src', 'bin']) cpSync(join(PROJECT, part), join(folder, part), { recursive: true })
    change(folder)
    return operatorMessages(folder, (setting) => (setting === 'loginLimit' ? 'LOGIN_LIMIT' : undefined))
  })
}

describe('the page of messages', () => {
  it('has every message that rejects a configuration', () => {
    const rules = textOf('test/configuration/rules.tsv')
      .split('\n')
      .map((line) => line.split('\t').slice(2))
    const values = SETTING_NAMES.flatMap((name) => {
      const { sentence, others = {} } = casesFor(name)
      return [sentence, ...Object.keys(others)].map((rule) => `${SETTINGS[name].variable} ${rule}`)
    })
    const sentences = [...rules.filter(([first]) => first !== 'accepted').flat(), ...values]
    const patterns = messages()
      .filter((message) => message !== '… must be …')
      .map(patternOf)
    expect(sentences.length).to.be.greaterThan(150)
    const missing = sentences.filter(
      (sentence) => !CHOICE.test(sentence) && !patterns.some((pattern) => pattern.test(sentence)),
    )
    expect(missing).to.deep.equal([])
  })

  it('detects a new message in the sources', async () => {
    const file = 'src/adapters/oclif/output.ts'
    const added = await found((folder) => {
      const lines =
        "throw new UsageError(`The ${one} moon ` + 'is full.')\nwarn(says`${'loginLimit'} is too high`)\n"
      writeFileSync(join(folder, file), textOf(file) + lines)
    })
    expect(added).to.include.members(['The … moon is full.', 'LOGIN_LIMIT is too high'])
  })

  it('cannot be generated if a listed source has no message', async () => {
    for (const file of ['src/adapters/optional-package.ts', 'src/adapters/keyring/passphrase.ts']) {
      const error: unknown = await found((folder) => {
        writeFileSync(join(folder, file), '')
      }).catch((reason: unknown) => reason)
      expect(String(error)).to.equal(`Error: ${file} has no message: name the file that has them now`)
    }
  })
})
