import { readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { expect } from 'chai'
import { openIdFile } from '../../../../src/adapters/oclif/import/import-records.js'
import { OperatorError } from '../../../../src/domain/refusal.js'
import { temporaryFolder } from '../../../support/temporary-folder.js'
import { composeUseCases } from '../../../support/use-cases.js'

describe('the file of IDs', () => {
  const folder = temporaryFolder()

  it('is readable only by its owner', async () => {
    const { useCases } = await composeUseCases()
    const ids = await openIdFile(folder('ids'), folder('accounts'), useCases.getUser)
    await ids.close()
    expect(statSync(folder('ids')).mode & 0o777).to.equal(0o600)
  })

  it('must be different from the account file, which would be overwritten', async () => {
    const { useCases } = await composeUseCases()
    writeFileSync(folder('accounts'), 'accounts')
    symlinkSync('accounts', folder('link'))
    for (const name of ['accounts', 'link']) {
      const opened = openIdFile(folder(name), folder('accounts'), useCases.getUser)
      const error: unknown = await opened.catch((reason: unknown) => reason)
      expect(readFileSync(folder('accounts'), 'utf8')).to.equal('accounts')
      expect(error).to.be.instanceOf(OperatorError)
    }
  })
})
