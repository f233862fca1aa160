import { expect } from 'chai'
import { startService } from '../../support/http/service.js'
import { createPetClient } from '../../support/http/pet-calls.js'

function cursorOf(text: string): string {
  return Buffer.from(text).toString('base64url')
}

describe('links of the pet routes', () => {
  it('have the origin of PUBLIC_URL, despite the request headers', async () => {
    const service = await startService({ settings: { publicUrl: 'https://pets.example' } })
    try {
      const pets = await createPetClient(service)
      const evil = {
        Host: 'evil.example',
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'http',
        'X-Forwarded-For': '10.0.0.1',
        Forwarded: 'host=evil.example;proto=http',
      }
      expect((await pets.create({ name: 'Rex' }, evil)).headers.location).to.equal(
        'https://pets.example/v1/pets/1',
      )
      await pets.add()
      const { headers, status } = await pets.list('?limit=1', evil)
      expect(status).to.equal(200)
      expect(headers['x-next']).to.equal(`https://pets.example/v1/pets?limit=1&cursor=${cursorOf('p1:1')}`)
      expect(JSON.stringify(headers)).to.not.contain('evil')
    } finally {
      await service.close()
    }
  })
})
