import { expect } from 'chai';
import fc from 'fast-check';
import { KMSA } from '../../../domain/keys/backends/kmsa.ts';

const ID = '1234abcd-12ab-34cd-56ef-1234567890ab';
const KEYS = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'a+b/c=', region: 'eu-central-1' };
const ROLE = { roleName: 'issuer+role,=.@-_1', region: 'eu-central-1' };

/** The fields that an error names, '' for none and undefined for no error. */
function refused(read: () => unknown): string | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    const { details = [] } = error as { details?: { path: (string | number)[] }[] };
    return details.map(({ path }) => path.join('.')).join(' ');
  }
}
const config = (value: object) => refused(() => KMSA.readConfig(value as never));
const reference = (value: object) => refused(() => KMSA.read(value as never));
const region = (name: unknown) => config({ auth: { ...KEYS, region: name } });

describe('the configuration of a key in AWS KMS', () => {
  it('is read with access keys or with a role', () => {
    expect(KMSA.readConfig({ auth: KEYS })).to.deep.equal({ auth: KEYS });
    expect(KMSA.readConfig({ auth: ROLE, tags: { a: '' } })).to.deep.equal({ auth: ROLE, tags: { a: '' } });
  });

  it('names every member that is missing, unknown or malformed', () => {
    expect(config({})).to.equal('auth');
    expect(config({ auth: {} })).to.equal('auth.accessKeyId auth.secretAccessKey auth.region');
    expect(config({ auth: { ...KEYS, ...ROLE } })).to.equal('auth.roleName');
    expect(config({ auth: { ...ROLE, roleName: 'a/b' } })).to.equal('auth.roleName');
    expect(config({ auth: { ...KEYS, accessKeyId: 'AKIA 1' } })).to.equal('auth.accessKeyId');
    expect(config({ auth: { ...KEYS, secretAccessKey: '' } })).to.equal('auth.secretAccessKey');
    expect(config({ auth: { ...KEYS, secretAccessKey: 'a\r\nb' } })).to.equal('auth.secretAccessKey');
    expect(config({ auth: { ...KEYS, endpoint: 'https://a.example' } })).to.equal('auth.endpoint');
    expect(config({ auth: KEYS, endpoint: 'https://a.example' })).to.equal('endpoint');
  });

  it('takes the regions of every partition', () => {
    const regions = 'us-east-1 ap-southeast-7 eu-central-1 cn-northwest-1 us-gov-west-1 us-iso-east-1 us-isob-east-1';
    for (const name of `${regions} eu-isoe-west-1 us-isof-south-1 eusc-de-east-1 mx-central-1 il-central-1`.split(' '))
      expect(region(name), name).to.equal(undefined);
  });

  it('takes no other text as a region, for it becomes part of a host name', () => {
    const names = ['', 'europe', 'eu-central-1.evil.example/', 'eu-central-1#', 'EU-CENTRAL-1', 'eu--central-1', '1'];
    for (const name of [...names, 'fips-us-east-1', 'us-east-1-fips', 'eu-central-123', `eu-${'a'.repeat(64)}-1`, 7])
      expect(region(name), String(name)).to.equal('auth.region');
  });

  it('reads long texts in linear time', () => {
    for (const part of ['a', '-a', '-', 'a-']) expect(region(part.repeat(500))).to.equal('auth.region');
  });

  it('a text that is accepted as a region is one label of a host name (property)', () => {
    const texts = fc.oneof(fc.string(), fc.stringMatching(/^[a-z]{1,6}(-[a-z]{1,5}){0,4}-\d{1,3}$/));
    fc.assert(
      fc.property(texts, (name) => {
        if (region(name) !== undefined) return;
        expect(new URL(`https://kms.${name}.amazonaws.com/`).hostname).to.equal(`kms.${name}.amazonaws.com`);
        expect(name).to.match(/^[a-z0-9-]{5,63}$/);
      }),
    );
  });
});

describe('the tags of a key in AWS KMS', () => {
  const tagged = (tags: unknown) => config({ auth: KEYS, tags });
  const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at}`, '']));

  it('are at most 50, with names of 1 to 128 and values of at most 256 characters', () => {
    expect(tagged(many(50))).to.equal(undefined);
    expect(tagged(many(51))).to.equal('tags');
    expect(tagged({ ['n'.repeat(128)]: 'v'.repeat(256) })).to.equal(undefined);
    expect(tagged({ ['n'.repeat(129)]: '' })).to.equal(`tags.${'n'.repeat(64)}`);
    expect(tagged({ n: 'v'.repeat(257) })).to.equal('tags.n');
    expect(tagged({ '': 'v' })).to.equal('tags.');
  });

  it('are texts of the characters that AWS takes, and not reserved', () => {
    expect(tagged({ 'Kosten Stelle_.:/=+-@': 'é 東京 9' })).to.equal(undefined);
    expect(tagged({ n: 1 })).to.equal('tags.n');
    expect(tagged({ n: null })).to.equal('tags.n');
    expect(tagged([])).to.equal('tags');
    expect(tagged({ 'a;b': '' })).to.equal('tags.a;b');
    expect(tagged({ n: '<b>' })).to.equal('tags.n');
    expect(tagged({ 'AWS:cost': '' })).to.equal('tags.AWS:cost');
  });
});

describe('a reference to a key in AWS KMS', () => {
  it('has its credentials in config.auth or in auth, not in both', () => {
    expect(reference({ id: ID, config: { auth: KEYS } })).to.equal(undefined);
    expect(reference({ id: ID, auth: KEYS })).to.equal(undefined);
    expect(reference({ id: ID, auth: KEYS, config: { auth: KEYS } })).to.equal('auth');
    expect(reference({ id: ID })).to.equal('config');
    expect(reference({ id: ID, config: 'x' })).to.equal('config');
    expect(reference({ id: ID, config: { auth: { ...KEYS, region: 'x' } } })).to.equal('config.auth.region');
    expect(reference({ id: ID, auth: { ...KEYS, region: 'x' } })).to.equal('auth.region');
    expect(reference({ id: ID, config: { auth: KEYS }, keyId: ID })).to.equal('keyId');
  });

  it('has the id of a key or its ARN in the region of the credentials; an alias may lead to another key tomorrow', () => {
    const known = (id: unknown) => reference({ id, config: { auth: KEYS } });
    const arn = (partition: string, at: string) => `arn:${partition}:kms:${at}:111122223333:key/${ID}`;
    expect(known(ID)).to.equal(undefined);
    expect(known(`mrk-${ID.replaceAll('-', '')}`)).to.equal(undefined);
    expect(known(arn('aws', 'eu-central-1'))).to.equal(undefined);
    expect(known(arn('aws', 'us-east-1'))).to.equal('id');
    expect(known(arn('azure', 'eu-central-1'))).to.equal('id');
    const others = ['', undefined, 7, 'alias/issuer', 'arn:aws:kms:eu-central-1:111122223333:alias/issuer', `${ID}\n`];
    for (const id of [...others, `${ID}/..`, ID.toUpperCase(), '../key', 'a'.repeat(100_000)])
      expect(known(id), String(id).slice(0, 60)).to.equal('id');
  });

  it('is written in the shape of the contract', () => {
    const publicJwk = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' } as const;
    const stored = {
      backend: 'kmsa-rest-api',
      id: ID,
      keyType: 'secp256r1',
      publicJwk,
      config: { auth: KEYS },
    } as const;
    const { _publicKey, ...others } = KMSA.write(stored);
    expect(others).to.deep.equal({ id: ID, config: { auth: KEYS }, _keyType: 'secp256r1' });
    expect(JSON.parse(String(_publicKey))).to.include(publicJwk);
  });
});
