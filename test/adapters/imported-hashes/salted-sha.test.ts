import { itRejects, itVerifies } from '../../support/imported-hashes.js'

const SSHA = '{SSHA}0c0blFTXXNuAMHECS4uxrj3ZieMoWImr'

describe('salted SHA hashes of LDAP servers', () => {
  // From the tests of passlib 1.7.4 and Kratos.
  itVerifies([
    ['testing123', SSHA],
    ['test', '{SSHA}P90+qijSp8MJ1tN25j5o1PflUvlqjXHOGeOckw=='],
    ['test123', '{SSHA}JFZFs0oHzxbMwkSJmYVeI8MnTDy/276a'],
    ['letmèïn', '{SSHA256}km7UjUTBZN8a+gf1ND2/qn15N7LsO/jmGYJXvyTfJKAbI0RoLWWslQ=='],
    ['test123', '{SSHA256}czO44OTV17PcF1cRxWrLZLy9xHd7CWyVYplr1rOhuMlx/7IK'],
    ['test', '{SSHA256}uBLazLaiBaPb6Cpnvq2XTYDkvXbYIuqRW1anMKk85d1/j1GqFQIgpHSOMUYIIcS4'],
    [
      'letmèïn',
      '{SSHA512}mpNUSmZc3TNx+RnPwkIAVMf7ocEKLPrIoQNsg4Eu8dHvyCeb2xzHp5A6n4tF7ntknSvfvRZaJII4ImvNJlYsgiwAm0FMqR+3',
    ],
    [
      'test123',
      '{SSHA512}xPUl/px+1cG55rUH4rzcwxdOIPSB2TingLpiJJumN2xyDWN4Ix1WQG3ihnvHaWUE8MYNkvMi5rf0C9NYixHsE6Yh59M=',
    ],
    [
      'test',
      '{SSHA512}Yg9DQ2wURCFGwobu7R2O6cq7nVbnGMPrFCX0aPQ9kj/y1hd6k9PEzkgWCB5aXdPwPzNrVb0PkiHiBnG1CxFiT+B8L8U=',
    ],
  ])
  itRejects({
    'an empty salt': '{SSHA}0c0blFTXXNuAMHECS4uxrj3ZieM=',
    'no salt in its scheme': '{SHA}0c0blFTXXNuAMHECS4uxrj3ZieM=',
    'an empty digest': '{SSHA}',
    'the scheme of a longer digest': SSHA.replace('SSHA', 'SSHA256'),
    'an unknown scheme': SSHA.replace('SSHA', 'SSHA384'),
    'a character outside base64': SSHA.replace('0c0b', '0c=b'),
    'a digest that is not canonical': '{SSHA}P90+qijSp8MJ1tN25j5o1PflUvlqjXHOGeOckx==',
    'a salt of 65 bytes': `{SSHA}${Buffer.alloc(85).toString('base64')}`,
  })
})
