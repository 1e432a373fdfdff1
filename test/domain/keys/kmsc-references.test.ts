import { expect } from 'chai';
import fc from 'fast-check';
import { KMSC } from '../../../domain/keys/backends/kmsc.ts';
import type { KeyReference } from '../../../ports/key-service.ts';

type Config = Record<string, unknown>;

const VENDOR_NAMES: Record<string, string> = {
  tenancyId: 'tenancyOcid',
  compartmentId: 'compartmentOcid',
  userId: 'userOcid',
};
const renamedMembers = fc.subarray(Object.keys(VENDOR_NAMES));

const ocid = fc
  .tuple(fc.constantFrom('tenancy', 'user', 'compartment', 'key'), fc.stringMatching(/^[a-z0-9]{10,60}$/))
  .map(([kind, unique]) => `ocid1.${kind}.oc1..${unique}`);
const name = fc.stringMatching(/^[A-Za-z0-9._:-]{1,255}$/).filter((text) => !/^\.+$/.test(text));
const identifier = fc.oneof(ocid, name);
const fingerprint = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map((bytes) => (Buffer.from(bytes).toString('hex').match(/../g) ?? []).join(':'));
const endpoint = fc
  .tuple(fc.constantFrom('', 'https://', 'http://'), fc.domain(), fc.constantFrom('', '/', ':8443'))
  .map((parts) => parts.join(''));
const text = (minLength: number, maxLength: number) => fc.string({ minLength, maxLength });
const tags = fc.dictionary(
  text(1, 100).filter((tag) => tag !== '__proto__'),
  text(0, 256),
  { maxKeys: 10 },
);

const members: fc.Arbitrary<Config> = fc
  .record({
    tenancyId: identifier,
    compartmentId: identifier,
    userId: identifier,
    fingerprint,
    managementEndpoint: endpoint,
    cryptoEndpoint: endpoint,
    signingKeyPem: text(1, 2000),
    tags: fc.option(tags, { nil: undefined }),
  })
  .map(({ tags, ...rest }) => ({ ...rest, ...(tags && { tags }) }));

const spelled = (config: Config, renamed: readonly string[]): Config =>
  Object.fromEntries(
    Object.entries(config).map(([name, value]) => [
      renamed.includes(name) ? (VENDOR_NAMES[name] ?? name) : name,
      value,
    ]),
  );

/** A request to create a key in any permitted spelling. */
const request = fc.tuple(members, renamedMembers).map(([config, renamed]) => spelled(config, renamed));

const reference = (id: string, config: Config): KeyReference => ({
  backend: 'kmsc-rest-api',
  id,
  keyType: 'secp256r1',
  publicJwk: { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' },
  config,
});

const pathOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return Object(error).details?.map(({ path }: { path: string[] }) => path.join('.'));
  }
};

describe('key references of Oracle OCI Vault', () => {
  it('the answer to any permitted request has its config exactly as it was sent, in any spelling', () => {
    fc.assert(
      fc.property(request, identifier, (config, id) => {
        const written = KMSC.write(reference(id, KMSC.readConfig(structuredClone(config))));
        expect(written.config).to.deep.equal(config);
        expect(written.id).to.equal(id);
      }),
    );
  });

  it('a reference that was written is read as the same key with the same stored config', () => {
    fc.assert(
      fc.property(request, identifier, (config, id) => {
        const stored = KMSC.readConfig(config);
        const { _publicKey, _keyType, ...written } = KMSC.write(reference(id, stored));
        const read = KMSC.read(JSON.parse(JSON.stringify(written)));
        expect(read).to.deep.equal({ id, config: JSON.parse(JSON.stringify(stored)), configAt: ['config'] });
      }),
    );
  });

  it('the stored config has the names of the contract, so that both spellings are one for the service', () => {
    fc.assert(
      fc.property(members, renamedMembers, (config, renamed) => {
        const { vendorNames: _, ...stored } = KMSC.readConfig(spelled(config, renamed));
        expect(stored).to.deep.equal(config);
      }),
    );
  });

  it('a member that is missing, null or not a text is named as the request spells it', () => {
    const required = ['tenancyId', 'compartmentId', 'userId', 'fingerprint', 'managementEndpoint', 'signingKeyPem'];
    const wrong = fc.constantFrom<unknown>(7, {}, [], true, '');
    fc.assert(
      fc.property(members, fc.constantFrom(...required), wrong, fc.boolean(), (config, member, value, isRenamed) => {
        const spelling = (isRenamed && VENDOR_NAMES[member]) || member;
        const { [member]: _, ...rest } = config;
        expect(pathOf(() => KMSC.readConfig({ ...rest, [spelling]: value }))).to.deep.equal([spelling]);
        for (const absent of [undefined, null])
          expect(pathOf(() => KMSC.readConfig({ ...rest, [member]: absent }))).to.deep.equal([member]);
      }),
    );
  });

  it('both spellings of one member are refused', () => {
    fc.assert(
      fc.property(members, fc.constantFrom(...Object.keys(VENDOR_NAMES)), (config, member) => {
        const vendorName = VENDOR_NAMES[member] ?? '';
        const both = { ...config, [vendorName]: config[member] };
        expect(pathOf(() => KMSC.readConfig(both))).to.deep.equal([vendorName]);
      }),
    );
  });

  it('no identifier and no key id can lead a request to another path', () => {
    const outside = fc.oneof(
      fc.constantFrom(
        '.',
        '..',
        '...',
        '../users',
        'a/b',
        'a?b',
        'a#b',
        'a"b',
        'a b',
        'a\nb',
        'ä',
        '%2e',
        'a'.repeat(256),
      ),
      fc.string().filter((text) => !/^[A-Za-z0-9._:-]{1,255}$/.test(text)),
    );
    fc.assert(
      fc.property(members, outside, (config, value) => {
        expect(pathOf(() => KMSC.readConfig({ ...config, userId: value }))).to.deep.equal(['userId']);
        expect(pathOf(() => KMSC.read({ id: value, config }))).to.deep.equal(['id']);
      }),
    );
  });

  it('an endpoint is an origin: no path, query, fragment, credentials or other scheme', () => {
    const endings = fc.constantFrom('/v1', '/20180608/', '?a=b', '/?a', '#a', '/#', '//');
    const wrong = fc.oneof(
      fc.tuple(endpoint, endings).map(([url, ending]) => `${url.replace(/\/$/, '')}${ending}`),
      fc.domain().map((host) => `https://user:secret@${host}`),
      fc.domain().map((host) => `ftp://${host}`),
      fc.constantFrom('https://', 'file:///etc/passwd', 'https://a b', '\\\\host', 'https://a\\b'),
    );
    fc.assert(
      fc.property(members, wrong, (config, cryptoEndpoint) => {
        expect(pathOf(() => KMSC.readConfig({ ...config, cryptoEndpoint }))).to.deep.equal(['cryptoEndpoint']);
      }),
    );
  });

  it('tags over the limits of the cloud are refused: ten, names of 100 characters, texts of 256', () => {
    const tagged = (tags: unknown) => pathOf(() => KMSC.readConfig({ ...fc.sample(members, 1)[0], tags }));
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`t${n}`, '']));
    expect(tagged(many(10))).to.be.an('object');
    expect(tagged(many(11))).to.deep.equal(['tags']);
    expect(tagged({ ['n'.repeat(100)]: 'x'.repeat(256) })).to.be.an('object');
    expect(tagged({ ['n'.repeat(101)]: '' })).to.deep.equal([`tags.${'n'.repeat(64)}`]);
    expect(tagged({ team: 'x'.repeat(257) })).to.deep.equal(['tags.team']);
    for (const wrong of [7, 'text', [], ['a']]) expect(tagged(wrong)).to.deep.equal(['tags']);
    for (const wrong of [7, null, {}]) expect(tagged({ team: wrong })).to.deep.equal(['tags.team']);
  });
});
