import { itLimits, itRejects, itVerifies } from '../../support/imported-hashes.js'

const PHPASS = '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0'
const DRUPAL = '$S$5FIcboyzv1ZD/OZDb4w/4HSlnsPlwbr/PWLWrHPWrJp8eXOQQaWJ'

describe('phpass hashes', () => {
  // From the tests of passlib 1.7.4, which come from phpass and John the Ripper.
  itVerifies([
    ['test12345', PHPASS],
    ['test1', '$H$9aaaaaSXBjgypwqm.JsMssPLiS8YQ00'],
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

const SHA_256 = '$5$rounds=1000$IbG0EuGQXw5EkMdP$LQ5AfPf13KufFsKtmazqnzSGZ4pxtUNw3woQ.ELRDF4'
const SHA_512 =
  '$6$rounds=10000$saltstringsaltst$OW1/O6BYHV6BcXZu8QVeXbDWra3Oeqh0sbHbbMCVNSnCM/UrjmM0Dp8vOuZeHBy/YTBmSK6H9qs/y3RnOaw5v.'

describe('SHA-crypt hashes', () => {
  // From the specification, and from the tests of passlib 1.7.4.
  itVerifies([
    ['U*U*U*U*', '$5$LKO/Ute40T3FNF95$U0prpBQd4PloSGU0pnpM4z9wKn4vZ1.jsrzQfPqxph9'],
    ['with unicÖde', SHA_256],
    ['secret', '$5$rounds=1011$nacl$QJWLBEhO9qQHyMx4IJojSN9sS41P1Yuz9REddxdO721'],
    ['Hello world!', SHA_512],
    [
      'U*U*U*U*',
      '$6$LKO/Ute40T3FNF95$6S/6T2YuOIHY0N3XpLKABJ3soYcXD9mB7uVbtEZDj/LNscVhZoZ9DEH.sBciDrMsHOWOoASbNLTypH/5X26gN0',
    ],
  ])
  itLimits(
    'SHA-crypt rounds=1000000',
    [SHA_256.replace('1000', '1000000'), SHA_512.replace('10000', '1000000')],
    [SHA_256.replace('1000', '1000001'), SHA_512.replace('10000', '999999999')],
  )
  itRejects({
    'fewer than 1,000 rounds': SHA_256.replace('1000', '999'),
    'a leading zero': SHA_256.replace('1000', '01000'),
    'an empty salt': SHA_256.replace('IbG0EuGQXw5EkMdP', ''),
    'an empty digest': SHA_256.slice(0, 32),
    'a salt of 17 characters': SHA_512.replace('saltst$', 'saltstr$'),
    'a digest that is not canonical': `${SHA_256.slice(0, -1)}E`,
    'the digest of the other algorithm': SHA_256.replace('$5$', '$6$'),
  })
})

const SSHA = '{SSHA}0c0blFTXXNuAMHECS4uxrj3ZieMoWImr'

describe('salted SHA hashes of LDAP servers', () => {
  // From the tests of passlib 1.7.4 and Kratos.
  itVerifies([
    ['testing123', SSHA],
    ['letmèïn', '{SSHA256}km7UjUTBZN8a+gf1ND2/qn15N7LsO/jmGYJXvyTfJKAbI0RoLWWslQ=='],
    [
      'letmèïn',
      '{SSHA512}mpNUSmZc3TNx+RnPwkIAVMf7ocEKLPrIoQNsg4Eu8dHvyCeb2xzHp5A6n4tF7ntknSvfvRZaJII4ImvNJlYsgiwAm0FMqR+3',
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
