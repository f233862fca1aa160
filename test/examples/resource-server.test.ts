import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect } from 'chai'
import { PROJECT } from '../support/project.js'
import { newcomer } from '../support/http/browser.js'
import { startService, type TestService } from '../support/http/service.js'
import { installBuilt } from '../support/built-package.js'
import { suiteFolder } from '../support/temporary-folder.js'

for (const program of ['kennel-verify.js', 'plain-jose.js']) {
  describe(`the example resource-server/${program}`, () => {
    let service: TestService
    let child: ChildProcess
    let address = ''
    const inFolder = suiteFolder()
    before(async () => {
      const folder = inFolder()
      cpSync(join(PROJECT, 'examples', 'resource-server'), folder, { recursive: true })
      installBuilt(folder, { './verify': 'adapters/jose/verify' }, ['jose'])
      service = await startService({ tokenUse: 'EdDSA', startAt: Date.now() })
      const env = { ...process.env, ISSUER: service.origin, PORT: '0' }
      child = spawn(process.execPath, [join(folder, program)], { env, stdio: ['ignore', 'pipe', 'inherit'] })
      if (!child.stdout) throw new Error('the example has no output')
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
      address = line
    })
    after(async () => {
      child.kill()
      await once(child, 'close')
      await service.close()
    })

    const input = async (token: string) => {
      const reply = await fetch(address, { headers: { Authorization: `Bearer ${token}` } })
      return { status: reply.status, body: await reply.json() }
    }

    it('identifies the account of an access token, given only the address of the service', async () => {
      const browser = await newcomer(service)
      const { status, body } = await input(browser.held().accessToken ?? '')
      expect(status).to.equal(200)
      expect(body).to.have.property('accountId', browser.id)
      expect(body).to.have.property('sessionId').that.is.a('string')
    })

    it('rejects a refresh token, a modified token, and a missing token', async () => {
      const { accessToken = '', refreshToken = '' } = (await newcomer(service)).held()
      const bad = [refreshToken, `${accessToken.slice(0, -6)}AAAAAA`, 'rubbish']
      for (const token of bad) expect((await input(token)).status).to.equal(401)
      expect((await fetch(address)).status).to.equal(401)
    })
  })
}
