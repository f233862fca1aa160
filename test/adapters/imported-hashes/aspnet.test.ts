import { itLimits, itRejects, itVerifies } from '../../support/imported-hashes.js'

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
