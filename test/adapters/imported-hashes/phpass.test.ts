import { itLimits, itRejects, itVerifies } from '../../support/imported-hashes.js'

const PHPASS = '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0'
const DRUPAL = '$S$5FIcboyzv1ZD/OZDb4w/4HSlnsPlwbr/PWLWrHPWrJp8eXOQQaWJ'

describe('phpass hashes', () => {
  // From the tests of passlib 1.7.4, which come from phpass and John the Ripper.
  itVerifies([
    ['test12345', PHPASS],
    ['test1', '$H$9aaaaaSXBjgypwqm.JsMssPLiS8YQ00'],
    ['thisisalongertestPW', '$P$912345678LIjjb6PhecupozNBmDndU0'],
    ['JohnRipper', '$P$612345678si5M0DDyPpmRCmcltU/YW/'],
  ])
  itLimits('phpass log2(rounds)=16', [PHPASS.replace('$P$9', '$P$E')], [PHPASS.replace('$P$9', '$P$F')])
  itRejects({
    'fewer than 2^7 rounds': PHPASS.replace('$P$9', '$P$4'),
    'an empty digest': PHPASS.slice(0, 12),
    'a character outside its base64': PHPASS.replace('.', '!'),
    'a digest that is not canonical': `${PHPASS.slice(0, -1)}A`,
  })
})

describe('Drupal hashes', () => {
  // From the tests of zitadel/passwap and of implementations in Python and PHP.
  itVerifies([
    ['DifficultPassword123', DRUPAL],
    ['password', '$S$DI7p94K2RG7Nq2OJp2/T55TfjT/K8UYdDVSUELOgCNbNoHU2sdtq'],
    ['password', '$S$ErandomsaOpYrAZqwxGynirQbWYCb3ejW4BwGH81LJcOzbzeVd02'],
    ['SimpleEasyPassword', 'U$S$5I5Ht7YwxFRiMiJhBjyt42Ji2WRndX2dCx1jyktH92PeQp0xWdgi'],
  ])
  itLimits('Drupal log2(rounds)=16', [DRUPAL.replace('$S$5', '$S$E')], [DRUPAL.replace('$S$5', 'U$S$S')])
  itRejects({
    'fewer than 2^7 rounds': DRUPAL.replace('$S$5', '$S$4'),
    'the prefix of phpass': DRUPAL.replace('$S$', '$P$'),
    'another first digest': `X${DRUPAL}`,
    'a truncated digest': DRUPAL.slice(0, -1),
  })
})
