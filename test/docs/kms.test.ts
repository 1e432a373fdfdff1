import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { keySpecOf, signingAlgorithmOf } from '../../adapters/kms/aws/key-specs.ts';
import { readPublicJwk, withKid } from '../../domain/jose/jwk.ts';
import { BACKENDS, backendOf } from '../../domain/keys/key-reference.ts';
import { KEY_TYPE_NAMES, KEY_TYPES, keyTypeOf } from '../../domain/keys/key-types.ts';

const section = readFileSync('docs/kms.md', 'utf8').split('\n## AWS KMS\n')[1]?.split('\n## ')[0] ?? '';
const [request, answer] = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text = '']) => JSON.parse(text));

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
