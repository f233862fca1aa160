/** The environment of the examples. */
export const SETTINGS = {
  SECURITY_JWT_PASSPHRASE: 'Only-for-tests: 4 kennels & 12 hounds',
  PUBLIC_URL: 'http://127.0.0.1:3000',
}
