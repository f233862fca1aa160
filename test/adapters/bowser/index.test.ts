import { expect } from 'chai'
import { createNameClient } from '../../../src/adapters/bowser/index.js'

/** User agents as clients send them, and the names of these clients. */
const NAMES: Readonly<Record<string, string | undefined>> = {
  'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0': 'Firefox 130 on Linux',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Safari/537.36 Edg/128.0.2739.42':
    'Microsoft Edge 128 on Windows',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.6 Mobile/15E148 Safari/604.1':
    'Safari 17 on iOS',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/128.0.0.0 Mobile Safari/537.36':
    'Chrome 128 on Android',
  'curl/8.5.0': 'curl 8',
  node: 'node',
  'MyApp/1.2 CFNetwork/1410.0.3 Darwin/22.6.0': 'MyApp 1',
  'Mozilla/5.0 (of no kind)': undefined,
  // A sentence in a `User-Agent` never becomes the client name.
  'Your account is locked, log in at evil.example/1 now': 'Your',
  'Your account is locked/1 (log in at evil.example)': 'Your',
  'Mozilla/5.0 Your account is locked/1 now': undefined,
}

describe('the client name', () => {
  const nameClient = createNameClient()

  for (const [userAgent, name] of Object.entries(NAMES))
    it(`is ${name} for ${userAgent.slice(0, 50)}`, async () => {
      expect(await nameClient(userAgent)).to.equal(name)
    })

  it('is a string or undefined for any input', async () => {
    const odd = [
      ...[' ', '/', '(', ')'.repeat(9_000), 'a'.repeat(60_000), '\u0000\u202e', '__proto__/1'],
      'Mozilla/5.0 ('.repeat(9_000),
    ]
    for (const userAgent of odd) {
      const name = await nameClient(userAgent)
      expect(name === undefined || typeof name === 'string', userAgent.slice(0, 20)).to.equal(true)
    }
  })
})
