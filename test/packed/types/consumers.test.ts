import { expect } from 'chai'
import ts from 'typescript'
import { CONSUMER } from './consumer.js'
import { installPackage, type Installed } from './installed.js'

const NODENEXT = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }
const BUNDLER = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }

describe('the types of the package, every entry imported and every declaration checked,', () => {
  let installed: Installed
  before(() => {
    installed = installPackage()
  })
  after(() => installed.remove())

  const modes = { 'module: nodenext': NODENEXT, 'moduleResolution: bundler': BUNDLER }
  for (const [name, mode] of Object.entries(modes)) {
    for (const exactOptionalPropertyTypes of [true, false]) {
      it(`compile under ${name}, exactOptionalPropertyTypes ${exactOptionalPropertyTypes ? 'on' : 'off'}`, () => {
        const options = { ...mode, exactOptionalPropertyTypes }
        expect(installed.compile({ 'consumer.ts': CONSUMER }, options)).to.deep.equal([])
      })
    }
  }
})
