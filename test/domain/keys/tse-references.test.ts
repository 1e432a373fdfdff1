import { expect } from 'chai';
import fc from 'fast-check';
import { TSE } from '../../../domain/keys/backends/tse.ts';
import { readReference, writeReference } from '../../../domain/keys/key-reference.ts';
import type { PublicJwk } from '../../../ports/key-service.ts';

const SERVER = 'https://vault.example.org:8200/v1/transit';
const TOKEN = { accessKey: 'hvs.token' };
const ROLE = { roleId: 'role', secretId: 'secret' };
const JWK: PublicJwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

const problemsOf = (work: () => unknown): string => {
  try {
    work();
    return '';
  } catch (error) {
    return (error as { details: { path: string[] }[] }).details.map(({ path }) => path.join('.')).join(' ');
  }
};
const config = (members: object): string =>
  problemsOf(() => TSE.readConfig({ server: SERVER, auth: TOKEN, ...members }));

describe('references of keys in HashiCorp Vault', () => {
  it('read a token or an AppRole, a namespace and a name', () => {
    for (const members of [
      {},
      { auth: ROLE },
      { auth: { ...ROLE, approlePath: 'auth1/approle' } },
      { namespace: 'registry/eu', name: 'issuer.1' },
      { server: 'https://example.org/vault/v1/engines/transit' },
    ])
      expect(config(members), JSON.stringify(members)).to.equal('');
  });

  it('name the member that is wrong', () => {
    const wrong: [object, string][] = [
      [{ server: undefined }, 'server'],
      ...[
        'vault.example.org',
        'https://vault.example.org',
        'https://vault.example.org/transit',
        'https://vault.example.org/v1/../sys',
        'https://vault.example.org/v1/transit/',
        'https://vault.example.org/v1/transit?a',
        'https://user@vault.example.org/v1/transit',
        'ftp://vault.example.org/v1/transit',
      ].map((server): [object, string] => [{ server }, 'server']),
      [{ auth: undefined }, 'auth'],
      [{ auth: {} }, 'auth.accessKey'],
      [{ auth: { accessKey: 'a b' } }, 'auth.accessKey'],
      [{ auth: { roleId: 'role' } }, 'auth.secretId'],
      [{ auth: { ...ROLE, approlePath: '../sys' } }, 'auth.approlePath'],
      [{ auth: { ...TOKEN, userpassPath: 'a' } }, 'auth.userpassPath'],
      [{ namespace: 'a\r\nb' }, 'namespace'],
      [{ name: '../x' }, 'name'],
      [{ tags: { team: 'identity' } }, 'tags'],
    ];
    for (const [members, path] of wrong) expect(config(members), JSON.stringify(members)).to.equal(path);
    for (const id of ['', 'a/0', 'a/1/2', '../a', 'a/', 'a b', 7])
      expect(
        problemsOf(() => TSE.read({ id, server: SERVER, auth: TOKEN })),
        String(id),
      ).to.equal('id');
  });

  it('read what they write, with members at the top or below config', () => {
    const secret = fc.stringMatching(/^[\x21-\x7e]{1,40}$/);
    const auth = fc.oneof(fc.record({ accessKey: secret }), fc.record({ roleId: secret, secretId: secret }));
    const id = fc.stringMatching(/^[a-z]([a-z.-]{0,10}[a-z])?(\/[1-9]\d{0,3})?$/);
    fc.assert(
      fc.property(auth, id, fc.option(fc.constant('team'), { nil: undefined }), (auth, id, namespace) => {
        const config = { server: SERVER, auth, ...(namespace !== undefined && { namespace }) };
        const reference = { backend: 'tse', id, keyType: 'secp256r1', publicJwk: JWK, config } as const;
        const { type, ...wire } = writeReference(reference, 'tse');
        expect(type).to.equal('tse');
        const read = readReference('tse', wire);
        expect(read.key).to.deep.include({ id, config });
        expect(read.key.publicJwk).to.include(JWK);
        const { key } = readReference('tse', { id, config });
        expect(key).to.deep.include({ id, config });
      }),
    );
  });
});
