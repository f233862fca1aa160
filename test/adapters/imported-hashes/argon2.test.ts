import { itLimits, itRejects, itVerifies } from '../../support/imported-hashes.js'

const DIGEST = 'nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
const of = (parameters: string, salt = 'c29tZXNhbHQ', digest = DIGEST) =>
  `$argon2id$v=19$${parameters}$${salt}$${digest}`
const LIMIT = 'argon2id m=262144 t=10 p=16'

describe('Argon2 hashes', () => {
  // The Argon2id and Argon2i hashes come from src/test.c of P-H-C/phc-winner-argon2 and from the tests of Kratos. The Argon2d hash was
  // created with argon2-cffi 25.1.
  itVerifies([
    ['password', of('m=256,t=2,p=1')],
    ['test', of('m=32,t=2,p=4', 'cm94YnRVOW5jZzFzcVE4bQ', 'MNzk5BtR2vUhrp6qQEjRNw')],
    ['password', '$argon2i$v=19$m=256,t=2,p=2$c29tZXNhbHQ$T/XOJ2mh1/TIpJHfCdQan76Q5esCFVoT5MAeIM1Oq2E'],
    ['test', '$argon2i$v=19$m=16,t=2,p=1$bGJRWThNOHJJTVBSdHl2dQ$NfEnUOuUpb7F2fQkgFUG4g'],
    ['pässwörd €', '$argon2d$v=19$m=64,t=1,p=2$c2FsdHNhbHRzYWx0c2FsdA$RFGFXuKXL6XE1tS2SW6MyA'],
    [
      'x',
      '$argon2d$v=19$m=128,t=3,p=16$c29tZXNhbHQ$GMWmPTYiXztFDZ7eysGEAbXcJF0wESBRVWonobGZDDXNOFglLnWM5qB7vVhZD1Mgb0OkNVQcR9jfk8qU5ghIgg',
    ],
  ])

  itLimits(
    LIMIT,
    [of('m=262144,t=10,p=16')],
    [of('m=262145,t=1,p=1'), of('m=8,t=11,p=1'), of('m=136,t=1,p=17'), of('m=4294967295,t=4294967295,p=1')],
  )

  itRejects({
    'no lane': of('m=256,t=2,p=0'),
    'no pass': of('m=256,t=0,p=1'),
    'less than 8 KiB per lane': of('m=15,t=2,p=2'),
    'an empty salt': of('m=256,t=2,p=1', ''),
    'a salt of 7 bytes': of('m=256,t=2,p=1', 'c29tZXNhbA'),
    'an empty digest': of('m=256,t=2,p=1', 'c29tZXNhbHQ', ''),
    'a digest of 15 bytes': of('m=256,t=2,p=1', 'c29tZXNhbHQ', 'A'.repeat(20)),
    'a digest that is not canonical': of('m=256,t=2,p=1', 'c29tZXNhbHQ', `${DIGEST.slice(0, -1)}5`),
    'URL-safe base64': of('m=256,t=2,p=1', 'c29tZXNhbHQ', DIGEST.replace('/', '_')),
    'version 16': of('m=256,t=2,p=1').replace('v=19', 'v=16'),
    'no version': of('m=256,t=2,p=1').replace('v=19$', ''),
    'another variant': of('m=256,t=2,p=1').replace('argon2id', 'argon2x'),
    'a number of parameters': of('m=256,t=2,p=1,keyid=abc'),
    'a line feed': `${of('m=256,t=2,p=1')}\n`,
  })
})
