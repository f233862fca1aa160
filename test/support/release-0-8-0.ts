/**
 * Values that release 0.8.0 has written, with a passphrase for tests. If Kennel writes the same values, release 0.8.0
 * accepts them, because it creates tokens, session keys and cookies deterministically.
 */
export const WRITTEN = {
  claims: {
    iss: 'https://pets.example',
    sub: '1',
    iat: 1796000000,
    nbf: 1796000000,
    exp: 1796000900,
    jti: 'pair',
    sid: 'session',
    roles: ['editor'],
  },
  tokens: {
    HS512: {
      kid: 'mri1FPzZfHij',
      access:
        'eyJhbGciOiJIUzUxMiIsInR5cCI6ImF0K2p3dCIsImtpZCI6Im1yaTFGUHpaZkhpaiJ9.eyJpc3MiOiJodHRwczovL3BldHMuZXhhbXBsZSIsInN1YiI6IjEiLCJpYXQiOjE3OTYwMDAwMDAsIm5iZiI6MTc5NjAwMDAwMCwiZXhwIjoxNzk2MDAwOTAwLCJqdGkiOiJwYWlyIiwic2lkIjoic2Vzc2lvbiIsInJvbGVzIjpbImVkaXRvciJdfQ.U7h4TcypPcUSYXFoKZ3kNBTjXGxKjq3MTjn0zuT8WLucfzJrskih5n_zM50pse6oPjqnBRMfMMZWQlCJiJSI3w',
      refresh:
        'eyJhbGciOiJIUzUxMiIsInR5cCI6InJ0K2p3dCIsImtpZCI6Im1yaTFGUHpaZkhpaiJ9.eyJpc3MiOiJodHRwczovL3BldHMuZXhhbXBsZSIsInN1YiI6IjEiLCJpYXQiOjE3OTYwMDAwMDAsIm5iZiI6MTc5NjAwMDAwMCwiZXhwIjoxNzk2MDAwOTAwLCJqdGkiOiJwYWlyIiwic2lkIjoic2Vzc2lvbiIsInJvbGVzIjpbImVkaXRvciJdfQ.vuPECw0j0Pg95W0L5gjBmoOylyUGCZvAaHp_SJ4PK_P1k03EUfCUgjI9omICJMfC0DnRS6e8FkSrX1hMFqLc-g',
    },
    EdDSA: {
      kid: 'WaBhtKoq3uN-',
      access:
        'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCIsImtpZCI6IldhQmh0S29xM3VOLSJ9.eyJpc3MiOiJodHRwczovL3BldHMuZXhhbXBsZSIsInN1YiI6IjEiLCJpYXQiOjE3OTYwMDAwMDAsIm5iZiI6MTc5NjAwMDAwMCwiZXhwIjoxNzk2MDAwOTAwLCJqdGkiOiJwYWlyIiwic2lkIjoic2Vzc2lvbiIsInJvbGVzIjpbImVkaXRvciJdfQ.SFlr_Q2Z3DmnMHD1fk2SFt1K8XNO5RHvDaufxnuDWZxTDRpS4CAzNVvCkvHouRRruqfHLd8BnN5W1E1xQqkZAw',
      refresh:
        'eyJhbGciOiJFZERTQSIsInR5cCI6InJ0K2p3dCIsImtpZCI6IldhQmh0S29xM3VOLSJ9.eyJpc3MiOiJodHRwczovL3BldHMuZXhhbXBsZSIsInN1YiI6IjEiLCJpYXQiOjE3OTYwMDAwMDAsIm5iZiI6MTc5NjAwMDAwMCwiZXhwIjoxNzk2MDAwOTAwLCJqdGkiOiJwYWlyIiwic2lkIjoic2Vzc2lvbiIsInJvbGVzIjpbImVkaXRvciJdfQ.-PUPvLFu1mbh_iQZ-OjRjZyagbtBIUxEPUfSlt0vX8gKGszCloxMgeuU0l2Wqw97FKjWr7COue5QkUt960d4BA',
    },
    'v4.public': {
      kid: 'XVXigfWzfwWs',
      access:
        'v4.public.eyJpc3MiOiJodHRwczovL3BldHMuZXhhbXBsZSIsInN1YiI6IjEiLCJpYXQiOiIyMDI2LTExLTMwVDAwOjUzOjIwWiIsIm5iZiI6IjIwMjYtMTEtMzBUMDA6NTM6MjBaIiwiZXhwIjoiMjAyNi0xMS0zMFQwMTowODoyMFoiLCJqdGkiOiJwYWlyIiwic2lkIjoic2Vzc2lvbiIsInJvbGVzIjpbImVkaXRvciJdfcge_Gpll7sJdHOP8lKufk3NSq7WZTDUUjbDPpFMl4qiXFvhxFewGmri__4P4v9B8N83crI4NUsPryxiJHLo0AQ.eyJ0eXAiOiJhdCtwYXNldG8iLCJraWQiOiJYVlhpZ2ZXemZ3V3MifQ',
      refresh:
        'v4.public.eyJpc3MiOiJodHRwczovL3BldHMuZXhhbXBsZSIsInN1YiI6IjEiLCJpYXQiOiIyMDI2LTExLTMwVDAwOjUzOjIwWiIsIm5iZiI6IjIwMjYtMTEtMzBUMDA6NTM6MjBaIiwiZXhwIjoiMjAyNi0xMS0zMFQwMTowODoyMFoiLCJqdGkiOiJwYWlyIiwic2lkIjoic2Vzc2lvbiIsInJvbGVzIjpbImVkaXRvciJdfaFDJqXXFsKCi_pVEY_ZRY5vwIHjQ9KknZk1DGZ3bSxKc3JKNb39U502lBtrUf7hVUHUiaJKKifzpaaG-y2BQwI.eyJ0eXAiOiJydCtwYXNldG8iLCJraWQiOiJYVlhpZ2ZXemZ3V3MifQ',
    },
  },
  sealed:
    'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiRlBsaTZ1d2hRNHRKIiwic3ViIjoiMSJ9..XiQqV5loVjzwYilu.xO8v-ekgAF4UwvHoO-rASg.14Ttd6hEkhcfv37f-i33tg',
  successor: '578Bp_8muyADxUJHvJTi2HAj2PnLkXHxCUdVI4krfug',
  cookies: [
    '__Host-sid=578Bp_8muyADxUJHvJTi2HAj2PnLkXHxCUdVI4krfug; path=/; max-age=60; samesite=lax; secure; httponly',
    'sid=578Bp_8muyADxUJHvJTi2HAj2PnLkXHxCUdVI4krfug; path=/; max-age=60; samesite=lax; httponly',
  ],
  schema: '51b03654809dc8f0bbafb441800303a521ee009a2abcb337e2192dc4015b75fc',
  attempts: {
    schema: [
      'CREATE TABLE attempts ( name TEXT NOT NULL PRIMARY KEY, count INTEGER NOT NULL, until INTEGER NOT NULL ) STRICT, WITHOUT ROWID',
      'CREATE INDEX attempts_by_end ON attempts (until)',
    ],
    rows: [['somewhere', 1, 1005]],
  },
}
