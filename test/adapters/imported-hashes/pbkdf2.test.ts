import { itLimits, itRejects, itVerifies } from '../../support/imported-hashes.js'

const SALT = '1jP+5Zxpxgtee/iPxGgOz0RfE9/KJuDElP1ley4VxXc'
const DIGEST = 'QJxzfvdbHYBpydCbHoFg3GJEqMFULwskiuqiJctoYpI'
const ory = (parameters: string, salt = SALT, digest = DIGEST) =>
  `$pbkdf2-sha256$${parameters}$${salt}$${digest}`
const DJANGO = 'pbkdf2_sha256$26000$seasalt$n2MAuB91m1cVjm9xcWEc3lrKnIwO9oXBK39iy/wvxFc='
const PASSLIB = '$pbkdf2-sha256$1212$4vjV83LKPjQzk31VI4E0Vw$hsYF68OiOUPdDZ1Fg.fJPeq1h/gXXY7acBp9/6c.tmQ'
const LIMIT = 'PBKDF2-sha256 iterations=10000000'

describe('PBKDF2 hashes in the Django format', () => {
  // Created with Django 5.2.19.
  itVerifies([
    ['lètmein', DJANGO],
    ['pässwörd €', 'pbkdf2_sha256$1000$Nn0a1$+lVgwvA/K6MLEiGFnUwTbO/ZEgmI/2ytJJwg9puap2A='],
    ['lètmein', 'pbkdf2_sha1$26000$seasalt$E6OeG0TFYBPXsU+BQpVG+/GTtGI='],
  ])
  itLimits(LIMIT, [DJANGO.replace('26000', '10000000')], [DJANGO.replace('26000', '10000001')])
  itRejects({
    'no usable password': '!yZ9fsMVwKH0ZGfPB5nPFQ3tzuJzQoaQcwwEcL1cS',
    'an empty salt': DJANGO.replace('seasalt', ''),
    'no iteration': DJANGO.replace('26000', '0'),
    'an unknown digest': DJANGO.replace('sha256', 'sha3'),
  })
})

describe('PBKDF2 hashes in the Ory format', () => {
  // From the tests of Kratos.
  itVerifies([
    ['test', ory('i=100000,l=32')],
    [
      'test',
      '$pbkdf2-sha512$i=100000,l=32$bdHBpn7OWOivJMVJypy2UqR0UnaD5prQXRZevj/05YU$+wArTfv1a+bNGO1iZrmEdVjhA+lL11wF4/IxpgYfPwc',
    ],
    ['Test@123', '$pbkdf2-sha1$i=10000,l=20$wJuJqLoUFsdXa8k3sFhRlA$XMGVWTbeKf4Xd+CGiuEZde8x7QA'],
  ])
  const twice = (iterations: number) => ory(`i=${iterations},l=64`, SALT, 'A'.repeat(86))
  itLimits(LIMIT, [ory('i=10000000,l=32'), twice(5_000_000)], [ory('i=10000001,l=32'), twice(5_000_001)])
  itRejects({
    'a length that differs from the digest': ory('i=100000,l=31'),
    'an empty salt': ory('i=100000,l=32', ''),
    'an empty digest': ory('i=100000,l=0', SALT, ''),
    'a digest that is too long': ory('i=1000,l=65', SALT, `${'A'.repeat(86)}A`),
    'a digest that is not canonical': ory('i=100000,l=32', SALT, `${DIGEST.slice(0, -1)}p`),
    'SHA-3 as in Kratos': ory('i=100000,l=32').replace('sha256', 'sha384'),
    'no parameters': `$pbkdf2-sha256$${SALT}$${DIGEST}`,
  })
})

describe('PBKDF2 hashes in the passlib format', () => {
  // From the tests of passlib 1.7.4.
  itVerifies([
    ['password', '$pbkdf2$1212$OB.dtnSEXZK8U5cgxU/GYQ$y5LKPOplRmok7CZp/aqVDVg8zGI'],
    ['password', PASSLIB],
    [
      'password',
      '$pbkdf2-sha512$1212$RHY0Fr3IDMSVO/RSZyb5ow$eNLfBK.eVozomMr.1gYa17k9B7KIK25NOEshvhrSX.esqY3s.FvWZViXz4KoLlQI.BzY/YTNJOiKc5gBYFYGww',
    ],
  ])
  itLimits(LIMIT, [PASSLIB.replace('1212', '10000000')], [PASSLIB.replace('1212', '10000001')])
  itRejects({
    'a leading zero': PASSLIB.replace('1212', '01212'),
    'another base64 alphabet': PASSLIB.replace('Fg.', 'Fg+'),
    'another part': `${PASSLIB}$`,
    'the prefix of Argon2': PASSLIB.replace('pbkdf2-sha256', 'argon2id'),
  })
})

const VERSION_2 = '$aspnet$ANXrDknc7fGPpigibZXXZFMX4aoqz44JveK6jQuwY3eH/UyPhvr5xTPeGYEckLxz9A=='
const VERSION_3 =
  '$aspnet$AQAAAAEAACcQAAAAEAABAgMEBQYHCAkKCwwNDg+yWU7rLgUwPZb1Itsmra7cbxw2EFpwpVFIEtP+JIuUEw=='

/** Returns the version 3 hash with a different number in its header. */
function changed(at: number, value: number): string {
  const bytes = Buffer.from(VERSION_3.slice('$aspnet$'.length), 'base64')
  bytes.writeUInt32BE(value, at)
  return `$aspnet$${bytes.toString('base64')}`
}

describe('ASP.NET Core Identity hashes', () => {
  // From PasswordHasherTest.cs of dotnet/aspnetcore.
  itVerifies([
    ['my password', VERSION_2],
    ['my password', '$aspnet$AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJg=='],
    ['my password', VERSION_3],
    ['my password', '$aspnet$AQAAAAIAAAAyAAAAEOMwvh3+FZxqkdMBz2ekgGhwQ4B6pZWND6zgESBuWiHw'],
    ['my password', '$aspnet$AQAAAAAAAAD6AAAAEAhftMyfTJylOlZT+eEotFXd1elee8ih5WsjXaR3PA9M'],
    [
      'my password',
      '$aspnet$AQAAAAIAAAD6AAAAIJbVi5wbMR+htSfFp8fTw8N8GOS/Sje+S/4YZcgBfU7EQuqv4OkVYmc4VJl9AGZzmRTxSkP7LtVi9IWyUxX8IAAfZ8v+ZfhjCcudtC1YERSqE1OEdXLW9VukPuJWBBjLuw==',
    ],
  ])
  itLimits('PBKDF2-sha256 iterations=10000000', [changed(5, 10_000_000)], [changed(5, 10_000_001)])
  itRejects({
    'no prefix': VERSION_3.slice('$aspnet$'.length),
    'an unknown version': VERSION_3.replace('$AQ', '$Ag'),
    'an unknown digest': changed(1, 3),
    'no iteration': changed(5, 0),
    'an empty salt': changed(9, 0),
    'a salt that leaves no digest': changed(9, 48),
    'a salt beyond the end': changed(9, 0xffffffff),
    'a truncated header': '$aspnet$AQAAAAE=',
    'a header only': '$aspnet$AQAAAAEAACcQAAAAEA==',
    'a truncated version 2': '$aspnet$AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggE=',
    'bytes after version 2':
      '$aspnet$AAABAgMEBQYHCAkKCwwNDg+ukCEMDf0yyQ29NYubggHIVY0sdEUfdyeM+E1LtH1uJgAAAAAAAAAAAAA=',
  })
})
