import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { SETTINGS } from '../../src/configuration/configuration.js'
import { configurationOf, faultsOf } from './reading.js'

const SETTING = /^# ([A-Z_]+)=(.*)$/

describe('.env.example', () => {
  const text = readFileSync('.env.example', 'utf8')
  const settings = text.split('\n').flatMap((line) => {
    const [, name, value] = SETTING.exec(line) ?? []
    return name === undefined || value === undefined ? [] : [{ name, value }]
  })

  it('names exactly the variables that there are, once each', () => {
    expect(settings.map(({ name }) => name)).to.have.members([...SETTINGS])
  })

  it('sets nothing as it is', () => {
    expect(parseEnv(text)).to.deep.equal({})
  })

  it('gives the defaults', () => {
    const { permissions: _, ...unset } = configurationOf({})
    for (const { name, value } of settings) {
      const { permissions: __, ...set } = configurationOf({ [name]: value })
      expect(set, name).to.deep.equal(unset)
    }
  })

  it('is accepted with every default set', () => {
    const copy = parseEnv(text.replaceAll(new RegExp(SETTING, 'gm'), '$1=$2'))
    expect(Object.keys(copy)).to.have.lengthOf(SETTINGS.length)
    expect(faultsOf(copy)).to.deep.equal([])
  })

  it('explains each variable in the lines above it', () => {
    const lines = text.split('\n')
    for (const { name } of settings) {
      const at = lines.findIndex((line) => line.startsWith(`# ${name}=`))
      // PORT shares the explanation of HOST.
      expect(lines[at - 1], name).to.match(name === 'PORT' ? /^# HOST=/ : /^# .*[a-z].*/)
    }
  })
})
