import { itLimits, itRejects, itVerifies } from '../../support/imported-hashes.js'

const KEY = 'ou9tdYTGyYm8kuR6Dt0Bp0kDuAYoXrK16mbZO4yGwAn3oLspjnN0/c41v8xZnO1n14J3MjKj1b2g6AUCAlFwMw=='
const DIGEST = 'zKVTMvnWVw5BBOZNUdnsalx4c4c7y/w7IS5p6Ut2+CfEFFlz37J9huyQfov4iizN8dbjvEJlM5tQaJP84+hfTw=='
const of = (parameters: string, { separator = 'Bw==', key = KEY, salt = 'C0sHCg9ek77hsg==' } = {}) =>
  `$fbscrypt$v=1,${parameters},ss=${separator},sk=${key}$${salt}$${DIGEST}`
const ORY =
  '$firescrypt$ln=14,r=8,p=1$sPtDhWcd1MfdAw==$xbSou7FOl6mChCyzpCPIQ7tku7nsQMTFtyOZSXXd7tjBa4NtimOx7v42Gv2SfzPQu1oxM2/k4SsbOu73wlKe1A==$Bw==$YE0dO4bwD4JnJafh6lZZfkp1MtKzuKAXQcDCJNJNyeCHairWHKENOkbh3dzwaCdizzOspwr/FITUVlnOAwPKyw=='

describe('Firebase hashes', () => {
  // From the tests of supabase/auth and Kratos, and the README of firebase/scrypt.
  itVerifies([
    ['mytestpassword', of('n=14,r=8,p=1')],
    ['8x4WjoDbSxJZdR', ORY],
    [
      'user1password',
      '$fbscrypt$v=1,n=14,r=8,p=1,ss=Bw==,sk=jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA==$42xEC+ixf3L2lw==$lSrfV15cpx95/sZS2W9c9Kp6i/LVgQNDNC/qzrCnh1SAyZvqmZqAjTdn3aoItz+VHjoZilo78198JAdRuid5lQ==',
    ],
  ])
  itLimits(
    'scrypt ln=17 r=8 p=10',
    [of('n=17,r=8,p=10')],
    [of('n=18,r=8,p=1'), of('n=14,r=9,p=1'), of('n=14,r=8,p=11'), ORY.replace('ln=14', 'ln=99')],
  )
  itRejects({
    'another version': of('n=14,r=8,p=1').replace('v=1', 'v=2'),
    'n of 0': of('n=0,r=8,p=1'),
    'r of 0': of('n=14,r=0,p=1'),
    'p of 0': of('n=14,r=8,p=0'),
    'an empty salt': of('n=14,r=8,p=1', { salt: '' }),
    'an empty separator': of('n=14,r=8,p=1', { separator: '' }),
    'a signer key that is not as long as the digest': of('n=14,r=8,p=1', { key: KEY.slice(0, 64) }),
    'a salt that is not canonical': of('n=14,r=8,p=1', { salt: 'C0sHCg9ek77hsh==' }),
  })
})
