import { expect } from 'chai';
import fc from 'fast-check';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import { KMSB } from '../../../domain/keys/backends/kmsb.ts';
import { readReference, writeReference } from '../../../domain/keys/key-reference.ts';

const ORIGIN = 'https://credenza.vault.azure.net';
const VERSION = '0123456789abcdef0123456789abcdef';
const AUTH = { keyVaultUrl: ORIGIN, clientId: 'client', tenantId: 'tenant', clientSecret: 'a secret' };
const INSIDE = /^https:\/\/credenza\.vault\.azure\.net\/keys\/[0-9A-Za-z-]{1,127}(\/[0-9a-f]{32})?$/;

/** The paths of the fields that are refused, joined; empty when nothing is. */
function refused(read: () => unknown): string[] {
  try {
    read();
    return [];
  } catch (error) {
    return (error as DomainError).details?.map(({ path }) => path.join('.')) ?? ['?'];
  }
}

/** Pieces that readers of URLs understand differently. */
const TRICKS = [
  ...['/', '//', '\\', '.', '..', '/../', '/./', '%2f', '%2F', '%2e%2e', '%00', '%5c', '@', 'a:b@', ':443', ':8443'],
  ...['?', '?a=b', '#', '#a', ';', ' ', '\t', '\r\n', '\u0000', '\u3002', '\uff0f', '.evil.example', 'evil.example/'],
  ...['KEYS', 'Keys', 'HTTPS', 'VAULT', 'http://evil.example', '%6b', 'é', '\u202e', 'xn--', '[::1]', '127.0.0.1'],
];

const ids = fc.constantFrom(`${ORIGIN}/keys/issuer-1`, `${ORIGIN}/keys/issuer-1/${VERSION}`);

describe('References to keys in Azure Key Vault', () => {
  it('an id with anything inserted is refused, or is spelled as a key of the vault, character by character', () => {
    const tricked = fc
      .tuple(ids, fc.array(fc.tuple(fc.nat(), fc.constantFrom(...TRICKS)), { minLength: 1, maxLength: 3 }))
      .map(([id, changes]) =>
        changes.reduce((text: string, [at, piece]) => {
          const place = at % (text.length + 1);
          return text.slice(0, place) + piece + text.slice(place);
        }, id),
      );
    fc.assert(
      fc.property(fc.oneof(tricked, ids, fc.webUrl(), fc.string()), (id) => {
        const fields = refused(() => KMSB.read({ id, auth: AUTH }));
        expect(fields).to.deep.equal(INSIDE.test(id) ? [] : ['id']);
      }),
      { numRuns: 3000 },
    );
  });

  it('an id of another type, of another vault, or by another scheme or port is refused', () => {
    const others = [
      ...[undefined, null, 1, {}, [`${ORIGIN}/keys/a`], '', 'issuer-1', `/keys/issuer-1/${VERSION}`],
      `https://credenza.vault.azure.net./keys/a/${VERSION}`,
      `https://credenza.vault.azure.net:443/keys/a/${VERSION}`,
      `https://CREDENZA.vault.azure.net/keys/a/${VERSION}`,
      `http://credenza.vault.azure.net/keys/a/${VERSION}`,
      `https://credenza.vault.azure.net@evil.example/keys/a/${VERSION}`,
      `https://credenza.vault.azure.net.evil.example/keys/a/${VERSION}`,
      `https://credenza.vault.azure.net/keys/../secrets/a`,
      `https://credenza.vault.azure.net/keys/a%2f..%2fb`,
      `https://credenza.vault.azure.net/secrets/a/${VERSION}`,
      `https://credenza.vault.azure.net/keys/a/${VERSION.toUpperCase()}`,
      `https://credenza.vault.azure.net/keys/a/${VERSION}/sign`,
    ];
    for (const id of others)
      expect(
        refused(() => KMSB.read({ id, auth: AUTH })),
        String(id),
      ).to.deep.equal(['id']);
  });

  it('the spelling of the URL of the vault does not matter, and only an origin is one', () => {
    const id = `${ORIGIN}/keys/a/${VERSION}`;
    for (const keyVaultUrl of [ORIGIN, `${ORIGIN}/`, `${ORIGIN}:443`, 'HTTPS://Credenza.Vault.Azure.Net/'])
      expect(KMSB.read({ id, auth: { ...AUTH, keyVaultUrl } }).id, keyVaultUrl).to.equal(id);
    const wrong = ['/keys', '/..', '//', '?', '?a', '#', '/?', '/#a', '\\', ' ', '/%2e'].map((end) => ORIGIN + end);
    const others = [
      '',
      'credenza',
      '//credenza',
      'ftp://credenza',
      'https://',
      'https://u:p@credenza',
      'https://u@credenza',
    ];
    for (const keyVaultUrl of [...wrong, ...others, 1, null, {}])
      expect(
        refused(() => KMSB.readConfig({ auth: { ...AUTH, keyVaultUrl } })),
        String(keyVaultUrl),
      ).to.deep.equal(['auth.keyVaultUrl']);
  });

  it('auth is read at the top and in config; not at both places; with tags and a name in config', () => {
    const id = `${ORIGIN}/keys/a/${VERSION}`;
    expect(KMSB.read({ id, auth: AUTH })).to.deep.equal({ id, config: { auth: AUTH }, configAt: [] });
    const config = { auth: AUTH, tags: { a: 'b' }, name: 'a' };
    expect(KMSB.read({ id, config })).to.deep.equal({ id, config, configAt: ['config'] });
    expect(refused(() => KMSB.read({ id, auth: AUTH, config }))).to.deep.equal(['config']);
    expect(refused(() => KMSB.read({ id, auth: AUTH, config: {} }))).to.deep.equal(['config']);
    expect(refused(() => KMSB.read({ id }))).to.deep.equal(['auth']);
    expect(refused(() => KMSB.read({ id, config: {} }))).to.deep.equal(['config.auth']);
    expect(refused(() => KMSB.read({ id, config: 'text' }))).to.deep.equal(['auth']);
    expect(refused(() => KMSB.read({ id, auth: AUTH, more: 1 }))).to.deep.equal(['more']);
  });

  it('missing, unknown and malformed members of auth are named together', () => {
    const auth = { keyVaultUrl: ORIGIN, tenantId: '../tenant', clientSecret: 'a\nb', region: 'eu' };
    expect(refused(() => KMSB.readConfig({ auth })).sort()).to.deep.equal(
      ['auth.clientId', 'auth.clientSecret', 'auth.region', 'auth.tenantId'].sort(),
    );
    for (const tenantId of ['.', '..', 'a/b', 'a?b', 'a#b', '..%2f', 'a b', ''])
      expect(
        refused(() => KMSB.readConfig({ auth: { ...AUTH, tenantId } })),
        tenantId,
      ).to.deep.equal(['auth.tenantId']);
  });

  it('a written reference has auth at the top and a public key with thumbprint, and reads as the same key', () => {
    const publicJwk = {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
    } as const;
    const id = `${ORIGIN}/keys/a/${VERSION}`;
    const config = { auth: AUTH, tags: { a: 'b' } };
    const reference = { backend: 'kmsb-rest-api', id, keyType: 'secp256r1', publicJwk, config } as const;
    const { type, ...wire } = writeReference(reference, 'kmsb');
    expect(type).to.equal('kmsb');
    expect(wire).to.have.all.keys('id', 'auth', '_keyType', '_publicKey');
    const { jwk } = wire._publicKey as { jwk: Record<string, unknown> };
    expect(Object.keys(jwk)).to.deep.equal(['kty', 'crv', 'kid', 'x', 'y', 'key_ops']);
    expect(jwk.kid).to.match(/^[\w-]{43}$/);
    const read = readReference('kmsb-rest-api', wire);
    expect(read).to.deep.equal({
      key: { id, config: { auth: AUTH }, publicJwk },
      place: { config: [] },
      keyType: 'secp256r1',
    });
  });

  it('tags are accepted exactly within the limits: 15, names of 1 to 256 characters, texts of at most 256', () => {
    const text = (maxLength: number) => fc.string({ maxLength, unit: fc.constantFrom('a', 'é', ' ') });
    const tags = fc.dictionary(text(258), fc.oneof(text(258), fc.constantFrom(1, null, {})), {
      maxKeys: 17,
      size: 'max',
    });
    fc.assert(
      fc.property(tags, (value) => {
        const entries = Object.entries(value);
        const isWithin =
          entries.length <= 15 &&
          entries.every(
            ([name, tag]) => name !== '' && name.length <= 256 && typeof tag === 'string' && tag.length <= 256,
          );
        const fields = refused(() => KMSB.readConfig({ auth: AUTH, tags: value }));
        expect(fields.length === 0).to.equal(isWithin);
        for (const field of fields) expect(field).to.match(/^tags/);
      }),
    );
  });

  it('names are accepted exactly when they have 1 to 127 letters, digits and hyphens', () => {
    const name = fc.oneof(
      fc.stringMatching(/^[0-9A-Za-z-]{0,130}$/),
      fc.string(),
      fc.constantFrom(1, {}, 'a_b', 'a/b'),
    );
    fc.assert(
      fc.property(name, (value) => {
        const isName = typeof value === 'string' && /^[0-9A-Za-z-]{1,127}$/.test(value);
        expect(refused(() => KMSB.readConfig({ auth: AUTH, name: value }))).to.deep.equal(isName ? [] : ['name']);
      }),
    );
  });
});
