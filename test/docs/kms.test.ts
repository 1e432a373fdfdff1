import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { keySpecOf, signingAlgorithmOf } from '../../adapters/kms/aws/key-specs.ts';
import { CLOUDS } from '../../demo/fake-clouds/clouds.ts';
import { readPublicJwk, withKid } from '../../domain/jose/jwk.ts';
import { KEY_TYPE_NAMES, KEY_TYPES, keyTypeOf } from '../../domain/jose/key-types.ts';
import { BACKENDS, backendOf } from '../../domain/keys/key-reference.ts';
import { startServer } from '../support/servers/server.ts';
import { blocksOf, sectionOf } from './tables.ts';

const page = readFileSync('docs/kms.md', 'utf8');
const section = sectionOf(page, 'AWS KMS');
const [request, answer] = blocksOf(section, 'json').map((text) => JSON.parse(text));

/** The documented members with the values of a fake; tags stay as they are. @throws when the members differ */
function withValuesOf(documented: object, real: object | undefined): object {
  const entries = Object.entries(documented).map(([name, value]) => {
    const other = Reflect.get(real ?? {}, name);
    if (name === 'tags') return [name, value];
    if (other === undefined) throw new Error(`${name} is not a member of a configuration`);
    return [name, typeof value === 'object' ? withValuesOf(value, other) : other];
  });
  return Object.fromEntries(entries);
}

describe('docs/kms.md, AWS KMS', () => {
  it('shows a request and an answer as the server reads them', () => {
    expect(BACKENDS[backendOf(request.key.backend) ?? 'jwk'].readConfig(request.key.config)).to.deep.equal(
      request.key.config,
    );
    const { type, _publicKey, _keyType, ...members } = answer.issuerKey;
    expect(backendOf(type)).to.equal('kmsa-rest-api');
    expect(BACKENDS['kmsa-rest-api'].read(members).config).to.deep.equal(request.key.config);
    const jwk = JSON.parse(_publicKey);
    expect(withKid(readPublicJwk(jwk))).to.deep.equal(jwk);
    expect(keyTypeOf(jwk)).to.equal(_keyType);
  });

  it('names the key spec and the algorithm of each key type', () => {
    const rows = [...section.matchAll(/^\| `(\w+)` \| `([A-Z0-9_]+)` \| `([A-Z0-9_]+)` \|$/gm)].map(
      ([, ...row]) => row,
    );
    const types = KEY_TYPE_NAMES.filter((name) => KEY_TYPES[name].backends.includes('kmsa-rest-api'));
    expect(rows.sort()).to.deep.equal(types.map((name) => [name, keySpecOf(name), signingAlgorithmOf(name)]).sort());
  });
});

describe('docs/kms.md', () => {
  it('the first request of each service is one that the server accepts', async () => {
    const keys = ['AWS KMS', 'Azure Key Vault', 'Oracle OCI Vault', 'HashiCorp Vault'].map((heading) => {
      const first = JSON.parse(blocksOf(sectionOf(page, heading), 'json')[0] ?? '');
      return first.key ?? first;
    });
    expect(keys.map(({ backend }) => backend)).to.deep.equal([
      'kmsa-rest-api',
      'kmsb-rest-api',
      'kmsc-rest-api',
      'tse',
    ]);
    for (const [index, start] of Object.values(CLOUDS).entries()) {
      const cloud = await start();
      const server = await startServer({ settings: { outbound: { allow: ['127.0.0.1'] }, kms: cloud.settings } });
      const documented = keys[index];
      const key = { ...documented, config: withValuesOf(documented.config, cloud.key.config) };
      const { status, body } = await server.call('onboardIssuer', { json: { key } });
      expect(status, JSON.stringify(body)).to.equal(200);
      await server.close();
      await cloud.close();
    }
  });
});
