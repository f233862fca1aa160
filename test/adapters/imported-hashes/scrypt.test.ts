import { expect } from 'chai'
import { createScryptHasher } from '../../../src/adapters/scrypt/index.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import { itLimits, itRejects, itVerifies } from '../../support/imported-hashes.js'
import { COST, password } from '../../support/stored-hash.js'

const SALT = 'U29kaXVtQ2hsb3JpZGU'
const DIGEST = 'cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofI'
const of = (parameters: string, salt = SALT, digest = DIGEST) => `$scrypt$${parameters}$${salt}$${digest}`

describe('scrypt hashes in the Ory and passlib format', () => {
  // From the tests of Kratos and passlib 1.7.4, which come from the scrypt paper.
  itVerifies([
    [
      'test',
      '$scrypt$ln=16384,r=8,p=1$2npRo7P03Mt8keSoMbyD/tKFWyUzjiQf2svUaNDSrhA=$MiCzNcIplSMqSBrm4HckjYqYhaVPPjTARTzwB1cVNYE=',
    ],
    ['pleaseletmein', of('ln=14,r=8,p=1')],
    ['nacl', of('ln=1,r=4,p=2', 'yhnD+J+Tci4lZCwFgHCuVQ', 'fAsEWmxSHuC0cHKMwKVFPzrQukgvK09Sj+NueTSxKds')],
  ])
  itLimits(
    'scrypt ln=17 r=8 p=10',
    [of('ln=17,r=8,p=10'), of('ln=131072,r=8,p=10')],
    [
      ...['ln=18,r=8,p=1', 'ln=262144,r=8,p=1', 'ln=14,r=9,p=1', 'ln=14,r=8,p=11', 'ln=63,r=8,p=1'],
      'ln=10,r=4294967295,p=4294967295',
    ].map((parameters) => of(parameters)),
  )
  itRejects({
    'N of 1': of('ln=0,r=8,p=1'),
    'N that is not a power of two': of('ln=16385,r=8,p=1'),
    'N that is too large for r': of('ln=16,r=1,p=1'),
    'r of 0': of('ln=14,r=0,p=1'),
    'p of 0': of('ln=14,r=8,p=0'),
    'an empty salt': of('ln=14,r=8,p=1', ''),
    'an empty digest': of('ln=14,r=8,p=1', SALT, ''),
    'a digest that is not canonical': of('ln=14,r=8,p=1', SALT, `${DIGEST.slice(0, -1)}J`),
    'wrong padding': of('ln=14,r=8,p=1', `${SALT}==`),
  })
})

const HEX =
  '00bf79397c5005f0370cdc495a75add0:a80a1bbe9bc302090377ed064146987e9f261d551039343ea9bbd1c623873966613d5242e8b2f903f43e1a7eb6a2403983b857b492747b475b90ce80e78aeff5'
const OF_LIGATURE =
  '377dbf1fd198f46a2c81edabf1553df6:54f9523015157a2d91a28730be8a7b8bf9a15095562b7b4ff2066ee228c5f43796f33449e9485296a84f766310d78f18cc8c40e72ce174ca88c35082eb84407d'

describe('Better Auth and Lucia hashes', () => {
  // Created with @better-auth/utils 0.5.1, and with Scrypt and LegacyScrypt (the algorithm of Lucia 2) of
  // Lucia 3.2.2.
  itVerifies([
    ['correct horse', HEX],
    [
      'pässwörd €',
      'db86c91b965dbc03802a60380920bad2:fda71ddcc01a423bb3962d736b7c818b872da771c88d4969c40a8e01a90d43770da77c28163bd0ecdafc7821529d896b33d12fa5374cad030a9500ecdf7df3fd',
    ],
    [
      'correct horse',
      's2:e7021e92b81f2bf09f9fa60001aa2d05:3a0081e9f117184b6fea014a298faf547ae35e78bf47cfa121148c515219be0f8db9ff2ad7f5ba50341e1cf4270d7b5944c386ef484946a062d2dc7a7c15c1f6',
    ],
  ])

  it('match the text as sent, even if they were created from the normalized form', async () => {
    const hasher = createScryptHasher({ cost: COST, concurrency: 1 })
    expect(await hasher.verify(password('fine'), OF_LIGATURE as PasswordHash, 'ﬁne')).to.equal(true)
  })

  itRejects({
    'an empty salt': HEX.slice(32),
    'an empty digest': HEX.slice(0, 33),
    'a truncated digest': HEX.slice(0, -1),
    'a digest in upper case': HEX.toUpperCase(),
    'another version': `s1:${HEX}`,
  })
})

const KEY = 'ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g6AUCAlFwMw=='
const FIREBASE_DIGEST =
  'zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw=='
const firebase = (parameters: string, { separator = 'Bw==', key = KEY, salt = 'C0sHCg9ek77hsg==' } = {}) =>
  `$fbscrypt$v=1,${parameters},ss=${separator},sk=${key}$${salt}$${FIREBASE_DIGEST}`
const ORY =
  '$firescrypt$ln=14,r=8,p=1$sPtDhWcd1MfdAw==$xbSou7FOl6mChCyzpCPIQ7tku7nsQMTFtyOZSXXd7tjBa4NtimOx7v42Gv2SfzPQu1oxM2/k4SsbOu73wlKe1A==$Bw==$YE0dO4bwD4JnJafh6lZZfkp1MtKzuKAXQcDCJNJNyeCHairWHKENOkbh3dzwaCdizzOspwr/FITUVlnOAwPKyw=='

describe('Firebase hashes', () => {
  // From the tests of supabase/auth and Kratos, and the README of firebase/scrypt.
  itVerifies([
    ['mytestpassword', firebase('n=14,r=8,p=1')],
    ['8x4WjoDbSxJZdR', ORY],
  ])
  itLimits(
    'scrypt ln=17 r=8 p=10',
    [firebase('n=17,r=8,p=10')],
    [
      firebase('n=18,r=8,p=1'),
      firebase('n=14,r=9,p=1'),
      firebase('n=14,r=8,p=11'),
      ORY.replace('ln=14', 'ln=99'),
    ],
  )
  itRejects({
    'another version': firebase('n=14,r=8,p=1').replace('v=1', 'v=2'),
    'n of 0': firebase('n=0,r=8,p=1'),
    'r of 0': firebase('n=14,r=0,p=1'),
    'p of 0': firebase('n=14,r=8,p=0'),
    'an empty salt': firebase('n=14,r=8,p=1', { salt: '' }),
    'an empty separator': firebase('n=14,r=8,p=1', { separator: '' }),
    'a signer key that is not as long as the digest': firebase('n=14,r=8,p=1', { key: KEY.slice(0, 64) }),
    'a salt that is not canonical': firebase('n=14,r=8,p=1', { salt: 'C0sHCg9ek77hsh==' }),
  })
})
