import { itLimits, itRejects, itVerifies } from '../../support/imported-hashes.js'

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
    [
      '4lpHa N|_|M3r1K W/ Cur5Es: #$%(*)(*%#',
      '$6$rounds=11065$5KXQoE1bztkY5IZr$Jf6krQSUKKOlKca4hSW07MSerFFzVIZt/N3rOTsUgKqp7cUdHrwV8MoIVNCk9q9WL3ZRMsdbwNXpVk0gVxKtz1',
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
