import { accessTokenTtl, hasSecureCookie, originOf } from './derived.js'
import { isPlainInProduction, rule, type Rule, type RuleContext } from './rules.js'
import { sentenceAbout, says } from './sentence.js'
import { isLoopback, isWildcard } from './web.js'

const HOUR = 3_600_000

function isImpersonationPermitted({ permissions }: RuleContext): boolean {
  return permissions?.isPermitted('auth', 'login-as') === true
}

/** Rules that involve several settings; a violated rule is logged as a warning at startup. */
export const WARNINGS: readonly Rule[] = [
  ({ production, passphrase }, { passphraseWarning }) => {
    const warning = production || passphrase === undefined ? undefined : passphraseWarning?.(passphrase)
    return warning === undefined ? undefined : sentenceAbout('passphrase', ` ${warning}`)
  },
  rule(
    ({ passwordScrypt: { logN, r, p } }) => 2 ** logN * r * p < 2 ** 15 * 8 * 3,
    says`${'passwordScrypt'} is below 15/8/3: stolen password hashes would be cheap to attack`,
  ),
  rule(
    ({ passwordMinLength }) => passwordMinLength < 8,
    says`${'passwordMinLength'} is below 8: such short passwords are easy to guess`,
  ),
  rule(
    ({ production, passwordBlocklist }) => production && passwordBlocklist === undefined,
    says`${'passwordBlocklist'} is off: accounts can have the most common passwords, which attackers guess first`,
  ),
  rule(
    ({ production, store }) => production && store?.kind === 'memory',
    says`${'store'} is memory in production: all data is lost when the service stops`,
  ),
  rule(
    (values) => {
      const origin = originOf(values)
      const isPlain = origin.startsWith('http:') && !isLoopback(origin)
      return isPlain && hasSecureCookie(values) && !values.stateless
    },
    says`${'publicUrl'} is not https: browsers will not keep the secure session cookie`,
  ),
  rule(
    ({ host, publicUrl }) => publicUrl === undefined && isWildcard(host),
    says`${'host'} means every interface, so no client can call its address; set ${'publicUrl'} to the origin that clients use`,
  ),
  rule(
    (values) => isPlainInProduction(values.publicUrl, values) && values.stateless,
    says`${'publicUrl'} is not https: passwords and tokens can be read by anyone between the client and the service`,
  ),
  rule(
    ({ production, loginLimit }) => production && loginLimit === undefined,
    says`${'loginLimit'} is off: any number of passwords can be tried unless a proxy limits the attempts, as ${'loginLimit'}=10/15m would`,
  ),
  rule(
    ({ stateless, sessionLimit }) => stateless && sessionLimit !== undefined,
    says`${'sessionLimit'} has no effect in stateless mode: there are no stored sessions to count`,
  ),
  rule(
    ({ stateless, rememberLogin }) => stateless && rememberLogin,
    says`${'rememberLogin'} has no effect in stateless mode: there is no cookie to keep`,
  ),
  rule(
    (values) => values.stateless && accessTokenTtl(values) > HOUR,
    says`${'accessTokenTtl'} is above 1h in stateless mode: an access token that was stolen can be used for that long`,
  ),
  rule(
    (values) => {
      const origin = originOf(values)
      return !values.production && origin.startsWith('https:') && !isLoopback(origin)
    },
    says`${'publicUrl'} is public, but this is not production: development conveniences are enabled`,
  ),
  rule(
    ({ stateless, statelessRevocation }, context) =>
      stateless && statelessRevocation === 'none' && isImpersonationPermitted(context),
    says`${'stateless'}: login-as and logout-as are refused, because the previous tokens could not be voided; ${'statelessRevocation'}=store would allow them`,
  ),
  rule(
    ({ audit }, context) => audit.length === 0 && isImpersonationPermitted(context),
    says`${'audit'} is off: login-as and logout-as are refused, because nothing would be audited`,
  ),
  rule(
    ({ stateless, notices }) => stateless && notices.includes('new-client'),
    says`${'notices'} includes new-client, which is never sent in stateless mode: no session shows the clients of an account`,
  ),
  rule(
    ({ stateless, statelessRevocation, notices }) =>
      stateless && statelessRevocation === 'none' && notices.includes('refresh-reuse'),
    says`${'notices'} includes refresh-reuse, which is never sent in stateless mode without ${'statelessRevocation'}=store`,
  ),
]
