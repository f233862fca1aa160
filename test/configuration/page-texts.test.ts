import { expect } from 'chai'
import { pageTexts } from '../../src/configuration/page-texts.js'

describe('the texts of the pages for users', () => {
  const own = { login: 'Log in', logo: '', stylesheet: '' }

  it('are read from a JSON object', () => {
    expect(pageTexts('{"login":"Anmelden","logo":"/a/b.svg"}', own)).to.deep.equal({
      ...{ login: 'Anmelden', logo: '/a/b.svg' },
    })
    expect(pageTexts('{"logo":""}', own)).to.deep.equal({ logo: '' })
  })

  for (const [source, ...errors] of [
    ['{', 'is not JSON'],
    ['[]', 'is not valid: it must be an object'],
    [
      '{"login":1,"logo":null}',
      'is not valid: login must be a string',
      'is not valid: logo must be a string',
    ],
    ...[
      '//evil.example/a.svg',
      'https://evil.example/a.svg',
      'javascript:alert(1)',
      'a.svg',
      '/\\\\evil',
      '/a b',
      ' /a',
    ].map(
      (logo) =>
        [
          `{"logo":"${logo}"}`,
          'is not valid: logo must be a path on the same origin, such as /files/logo',
        ] as const,
    ),
    [
      '{"stylesheet":"own.css","logo":"data:,"}',
      'is not valid: logo must be a path on the same origin, such as /files/logo',
      'is not valid: stylesheet must be a path on the same origin, such as /files/stylesheet',
    ],
    ['{"logins":""}', 'has an unknown field "logins" (did you mean "login"?)'],
    ['{"toString":""}', 'has an unknown field "toString"'],
  ] as const)
    it(`are not read from ${source}`, () => {
      expect(pageTexts(source, own)).to.deep.equal(errors)
    })
})
