import { loggedOutView, succeeded, success, type IdentityView } from '../reply/envelope.js'

const ADA = { id: 1, email: 'ada@example.com' }
const GRACE = { id: 2, email: 'grace@example.com' }
const EDITOR = {
  uuid: '0b0e6c0a-2f7d-4c55-8f0e-7a51c1f2d3e4',
  key: 'project-editor',
  label: 'Project editors',
}

const loggedIn: IdentityView = {
  ...loggedOutView(),
  loggedIn: true,
  user: ADA,
  roleList: { [EDITOR.key]: EDITOR },
}
/** Well-formed tokens without a valid signature. */
const pair = {
  jwt: 'eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiIxIn0.VGhpcyBpcyBubyBzaWduYXR1cmU',
  refreshToken: 'eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiIxIn0.Tm9yIGlzIHRoaXMgYSBzaWduYXR1cmU',
}

/** Example replies of the identity routes. */
export const LOGGED_OUT = succeeded(200, loggedOutView())
export const IDENTITY = succeeded(200, loggedIn)
export const LOGGED_IN = succeeded(200, { ...loggedIn, ...pair })
export const REFRESHED = succeeded(200, { ...loggedIn, ...pair, refreshed: true })
export const ACTING = succeeded(200, {
  ...loggedOutView(),
  ...pair,
  loggedIn: true,
  loggedInAs: true,
  user: GRACE,
  userAs: ADA,
})

const [SECRET, ISSUER] = ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', 'kennel.example']
const RECOVERY_CODES = [
  'GEZD-GNBV-GY3T-QOJQ',
  'MFRG-GZDF-MZTW-Q2LK',
  'NBSW-Y3DP-EHPK-3PXP',
  'ORSX-G5BA-NFXG-K4TU',
  'PFXX-K4RA-ONSW-G4TF',
  'KRUG-S4ZA-NFZS-AYLT',
  'IFBE-GRCF-IZDU-QSKK',
  'JNGE-2TSP-KBIV-EU2U',
  'KVLF-OWCZ-LIQT-EMZU',
  'GU3D-OOBZ-HIYT-EMZU',
]

/** Example replies about the second factor. */
export const FACTOR = succeeded(200, {
  secondFactor: { active: true, since: '2026-01-02T03:04:05.678Z', recoveryCodesLeft: 9, required: false },
  messages: [],
})
export const NO_FACTOR = succeeded(200, {
  secondFactor: { active: false, since: null, recoveryCodesLeft: 0, required: false },
  messages: [],
})
export const FACTOR_SET_UP = succeeded(200, {
  secret: SECRET,
  uri: `otpauth://totp/${ISSUER}:ada%40example.com?issuer=${ISSUER}&secret=${SECRET}&algorithm=SHA1&digits=6&period=30`,
  qrCode: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"></svg>',
  messages: [],
})
export const FACTOR_CONFIRMED = succeeded(200, { ...loggedIn, ...pair, recoveryCodes: RECOVERY_CODES })
export const RECOVERY_RENEWED = succeeded(200, { recoveryCodes: RECOVERY_CODES, messages: [] })

const CHALLENGE = 'Y2hhbGxlbmdlLUVYQU1QTEUtRVhBTVBMRS1FWEFNUExF'
const RP_ID = 'kennel.example'

/** Example options, responses and replies for passkeys. */
export const PASSKEY = {
  ...{ id: 'cGFzc2tleS1FWEFNUExF', name: 'My phone', createdAt: '2026-01-02T03:04:05.678Z' },
  ...{ lastUsedAt: null, synced: true, backedUp: true, transports: ['internal', 'hybrid'] },
}
export const PASSKEYS = success({ passkeys: [PASSKEY], rpId: RP_ID, userId: 'MQ' })
export const PASSKEY_REQUEST = {
  ...{ challenge: CHALLENGE, rpId: RP_ID, timeout: 300_000, userVerification: 'required' },
  allowCredentials: [],
}
export const PASSKEY_CREATION = {
  ...{ challenge: CHALLENGE, timeout: 300_000, attestation: 'none', excludeCredentials: [] },
  rp: { id: RP_ID, name: RP_ID },
  user: { id: 'MQ', name: ADA.email, displayName: ADA.email },
  pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
  authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
}
const signed = (response: object) => ({
  ...{ id: PASSKEY.id, rawId: PASSKEY.id, type: 'public-key', clientExtensionResults: {} },
  response: { clientDataJSON: 'e30', ...response },
})
export const ASSERTION = signed({ authenticatorData: 'AA', signature: 'AA', userHandle: 'MQ' })
export const ATTESTATION = signed({ attestationObject: 'oA', transports: PASSKEY.transports })
export const PASSKEY_NAME = { name: PASSKEY.name }

/** Example requests. */
export const LOGIN = { email: ADA.email, password: 'a long walk in the park' }
export const REFRESH = { refreshToken: pair.refreshToken }
export const RESET = { email: ADA.email }
export const CHANGE_PASSWORD = { password: LOGIN.password, newPassword: 'a kite above the harbour' }
export const OWN_PASSWORD = { password: LOGIN.password }
export const CODE = { code: '492039' }
export const LOGIN_AS = { userId: GRACE.id }

/** Example projects. */
export const PROJECT_DRAFT = { label: 'Spring adoption', status: 'planned', budget: 1200 }
export const PROJECT = { id: 1, ...PROJECT_DRAFT, createdBy: 1, createdAt: '2026-01-02T03:04:05.678Z' }
export const CLOSED_PROJECT = { ...PROJECT, closedAt: '2026-06-30T12:00:00.000Z' }
