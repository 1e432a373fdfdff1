import { expect } from 'chai';
import fc from 'fast-check';
import { PeculiarCertificates } from '../../../adapters/crypto/certificate-maker.ts';
import { NodeCertificates } from '../../../adapters/crypto/certificates.ts';
import { nodePemKeys } from '../../../adapters/crypto/pem-keys.ts';
import { CallerSchemas } from '../../../adapters/json/json-schemas.ts';
import { MemoryStore } from '../../../adapters/memory/memory-store.ts';
import { systemRandom } from '../../../adapters/system/system.ts';
import { CredentialFormats } from '../../../domain/credentials/formats/formats.ts';
import type { DomainError } from '../../../domain/foundation/errors.ts';
import { readablePath } from '../../../domain/foundation/field-paths.ts';
import type { JsonObject } from '../../../domain/foundation/json.ts';
import { readConfigurations } from '../../../domain/issuer/configurations/configurations.ts';
import type { CredentialIssuer } from '../../../domain/issuer/credential-issuer.ts';
import type { IssuanceProfile, WrittenProfile } from '../../../domain/issuer/issuance-profile.ts';
import { readProfiles } from '../../../domain/issuer/profiles/configured-profiles.ts';
import { DemoSigner } from '../../../domain/issuer/profiles/demo-signer.ts';
import { ProfileRequests } from '../../../domain/issuer/profiles/profile-requests.ts';
import { ServerKeys } from '../../../domain/keys/server-keys.ts';
import { testFormats } from '../../support/credentials/formats.ts';
import { localKeys } from '../../support/keys/local-keys.ts';
import { type TestKeys, testCa, testKeys, testLeaf } from '../../support/trust/certificates.ts';

const formats = new CredentialFormats(testFormats.standard, testFormats.get('dc+sd-jwt'), testFormats.get('mso_mdoc'));
const identifier = 'https://issuer.example/openid4vci';
const supported = {
  Degree: ['VerifiableCredential', 'Degree'],
  Card: { format: 'dc+sd-jwt', vct: 'urn:card:1', example: { credentialData: { level: 'gold' } } },
  Licence: 'org.iso.18013.5.1.mDL',
};
const issuer: CredentialIssuer = {
  id: 'openid4vci',
  target: '',
  version: 'v1',
  identifier,
  configurations: readConfigurations(supported, { formats, identifier, version: 'v1' }),
  display: [],
  identities: [],
};
const options = {
  issuer,
  formats,
  schemas: new CallerSchemas(),
  pems: nodePemKeys,
  certificates: new NodeCertificates(),
};

const card: WrittenProfile = { name: 'A card', credentialConfigurationId: 'Card', credentialData: { level: 'gold' } };
const degree: WrittenProfile = {
  name: 'A degree',
  credentialConfigurationId: 'Degree_jwt_vc_json',
  credentialData: {
    type: ['VerifiableCredential', 'Degree'],
    credentialSubject: { name: 'Ada', address: { city: 'B' } },
  },
};

const pemOf = ({ privateKey }: TestKeys) => privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
const url = 'https://registry.example/people';
const claims = { level: '$.level' };
const pair = { certificates: [testLeaf(1).pem], privateKey: pemOf(testKeys('P-256', 9)) };
const wrongSources = [
  [{ url: 'ftp://registry.example', claims }, 'url'],
  [{ url, claims: { level: 'level' } }, 'claims.level'],
  [{ claims }, 'url'],
  [{ table: 'people', url, claims }, 'url'],
  [{ table: 'people', bearerToken: 'x', claims }, 'bearerToken'],
  [{ url, claims, keyClaim: 'sub' }, 'keyClaim'],
  [{ url, claims, schema: { type: 'thing' } }, 'schema'],
  [{ url, claims, schema: { $ref: 'https://registry.example/schema' } }, 'schema'],
  [{ url: 'http://registry.example', claims, authorities: [testCa().pem] }, 'url'],
  [{ url, claims, authorities: ['none'] }, 'authorities[0]'],
  [{ url, claims, clientCertificate: { ...pair, privateKey: 'none' } }, 'clientCertificate.privateKey'],
  [{ url, claims, clientCertificate: pair }, 'clientCertificate.certificates[0]'],
].map(([attributeSource, field]): [object, string] => [{ attributeSource }, `profiles.one.attributeSource.${field}`]);

describe('profiles', () => {
  const refusal = (profile: object, more: object = {}): string => {
    try {
      readProfiles({ ...more, profiles: { one: { ...card, ...profile } } }, options);
    } catch (error) {
      return readablePath((error as DomainError).details?.[0]?.path ?? []);
    }
    return 'accepted';
  };

  it('that cannot be offered are refused, naming the field', () => {
    const wrong: [object, string][] = [
      [{ credentialConfigurationId: 'Unknown' }, 'profiles.one.credentialConfigurationId'],
      [{ issuerKey: { type: 'jwk', jwk: { kty: 'EC' } } }, 'profiles.one.issuerKey.'],
      [{ mapping: { id: '<nonsense>' } }, 'profiles.one.mapping.id'],
      [
        { selectiveDisclosure: { fields: { level: { sd: 'yes' } } } },
        'profiles.one.selectiveDisclosure.fields.level.sd',
      ],
      [{ ...degree, credentialData: {} }, 'profiles.one.credentialData.type'],
      ...wrongSources,
      [{ statusList: { type: 'BitstringStatusList' } }, 'profiles.one.statusList'],
      [{ credentialConfigurationId: 'Licence_mso_mdoc', credentialData: {} }, 'profiles.one.x5Chain'],
      [
        { credentialConfigurationId: 'Licence_mso_mdoc', credentialStatus: {}, x5Chain: ['x'], mapping: { a: 'b' } },
        'profiles.one.mapping.a',
      ],
    ];
    expect(refusal({})).to.equal('accepted');
    const wallets = { walletInitiated: true, attributeSource: { url, claims } };
    expect(refusal(wallets)).to.equal('profiles.one.attributeSource.keyClaim');
    for (const [change, field] of wrong)
      expect(refusal(change)).to.satisfy((text: string) => text.startsWith(field), field);
    const message = refusal({}, { defaultIssuerKey: { type: 'kmsa-rest-api' } });
    expect(message).to.match(/^defaultIssuerKey\./);
  });

  it('without a key have the default signer; those with a key take nothing from it', async () => {
    const written = {
      defaultIssuerDid: 'did:web:a.example',
      profiles: { a: card, b: { ...card, issuerDid: 'did:web:b' } },
    };
    const read = readProfiles(written, options);
    expect([read.get('a')?.signer.issuerDid, read.get('b')?.signer.issuerDid]).to.deep.equal([
      'did:web:a.example',
      'did:web:b',
    ]);
    const issuerKey = localKeys().backends.write(await localKeys().backends.create('jwk', { keyType: 'Ed25519' }));
    const own = readProfiles({ ...written, profiles: { c: { ...card, issuerKey } } }, options).get('c');
    expect(own?.signer).to.deep.equal({ issuerKey, issuerDid: undefined, x5Chain: undefined });
  });

  it('of the default are one for each configuration, with its example; those of mdocs need certificates', () => {
    const without = readProfiles({}, options);
    expect([...without.keys()]).to.deep.equal(['Degree_jwt_vc_json', 'Degree_dc-sd-jwt', 'Card']);
    expect(without.get('Card')?.content.credentialData).to.deep.equal({ level: 'gold' });
    const all = readProfiles({ defaultIssuerX5chain: ['x'] }, options);
    expect(all.get('Licence_mso_mdoc')?.content.credentialData).to.have.property('org.iso.18013.5.1.mDL');
    expect([...all.values()].every(({ signer }) => signer.issuerKey === undefined)).to.equal(true);
  });

  it('have the shared certificates, or mdocs only where these are for mdocs', () => {
    const card = { name: 'Card', credentialConfigurationId: 'Card', credentialData: {} };
    const licence = { ...card, credentialConfigurationId: 'Licence_mso_mdoc' };
    const written = { defaultIssuerX5chain: ['x'], typeProfiles: { card, licence } };
    for (const certifiesMdocsOnly of [false, true]) {
      const read = readProfiles(written, { ...options, certifiesMdocsOnly });
      expect(
        [...read.values()].filter(({ signer }) => signer.x5Chain).map(({ configuration }) => configuration.id),
      ).to.deep.equal(
        [...read.values()]
          .map(({ configuration }) => configuration)
          .filter(({ facts }) => !certifiesMdocsOnly || facts.selector === 'doc_type')
          .map(({ id }) => id),
      );
    }
  });
});

describe('the issuance request of a profile', () => {
  const clock = { now: () => 1_800_000_000_000 };
  const instance = (store: MemoryStore) => {
    const keys = localKeys().backends;
    const serverKeys = new ServerKeys(store, keys, clock);
    return new ProfileRequests({
      keys,
      serverKeys,
      demoSigner: new DemoSigner({
        store,
        keys,
        serverKeys,
        maker: new PeculiarCertificates(),
        clock,
        random: systemRandom,
      }),
      issuerKeys: { addOfProfile: async () => {} },
    });
  };
  const profileOf = (entry: WrittenProfile) =>
    readProfiles({ profiles: { one: entry } }, options).get('one') as IssuanceProfile;
  const requests = instance(new MemoryStore(clock));

  it('has a key that is created once for all instances that use it first at the same time', async () => {
    const store = new MemoryStore(clock);
    const made = await Promise.all(
      Array.from({ length: 5 }, () => instance(store).create(issuer, profileOf(degree), {})),
    );
    expect(new Set(made.map(({ issuerDid }) => issuerDid)).size).to.equal(1);
    expect(new Set(made.map(({ issuerKey }) => JSON.stringify(issuerKey))).size).to.equal(1);
    expect(made[0]?.issuerDid).to.match(/^did:jwk:/);
  });

  it('does not use the DID of the profile for the key of an offer', async () => {
    const other = await localKeys().backends.create('jwk', { keyType: 'Ed25519' });
    const issuerKey = localKeys().backends.write(other);
    const made = await requests.create(issuer, profileOf({ ...degree, issuerDid: 'did:web:a.example' }), { issuerKey });
    expect([made.issuerKey, String(made.issuerDid).startsWith('did:jwk:')]).to.deep.equal([issuerKey, true]);
  });

  it('merges data member by member and replaces everything else', async () => {
    const changes = {
      credentialData: { credentialSubject: { name: null, address: { street: 'S' }, list: [1] }, more: true },
      mapping: { id: '<uuid>' },
    };
    const made = await requests.create(
      issuer,
      profileOf({ ...degree, mapping: { issuer: { id: '<issuerDid>' } } }),
      changes,
    );
    expect(made.mapping).to.deep.equal({ id: '<uuid>' });
    expect(made.credentialData).to.deep.equal({
      type: ['VerifiableCredential', 'Degree'],
      credentialSubject: { name: null, address: { city: 'B', street: 'S' }, list: [1] },
      more: true,
    });
  });

  it('has a status of its own or an entry of a list, as the offer wants it', async () => {
    const listed = profileOf({ ...card, statusList: { statusSize: 1 } });
    const own = await requests.create(issuer, listed, { credentialStatus: { status_list: {} } });
    expect(own.statusList).to.equal(undefined);
    expect(own.credentialStatus).to.deep.equal({ status_list: {} });
    expect((await requests.create(issuer, listed, {})).statusList).to.deep.equal({ statusSize: 1 });
  });

  it('names the data of an mdoc as the other generation does', async () => {
    const entry = { ...card, credentialConfigurationId: 'Licence_mso_mdoc', x5Chain: ['x'] };
    const made = await requests.create(issuer, profileOf({ ...entry, credentialData: { ns: { a: 1 } } }), {});
    expect([made.mdocData, made.credentialData, made.issuerDid]).to.deep.equal([
      { ns: { a: 1 } },
      undefined,
      undefined,
    ]);
  });

  it('has every member of the changes, and those of the profile that are not changed', async () => {
    const data = fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'c'), fc.oneof(fc.integer(), fc.constant(null)));
    await fc.assert(
      fc.asyncProperty(data, data, async (before, changes) => {
        const profile = { ...profileOf(card), content: { credentialData: before } };
        const made = await requests.create(issuer, profile, { credentialData: changes });
        const result = made.credentialData as JsonObject;
        for (const name of new Set([...Object.keys(before), ...Object.keys(changes)]))
          expect(Object.getOwnPropertyDescriptor(result, name)?.value).to.equal(
            Object.getOwnPropertyDescriptor(Object.hasOwn(changes, name) ? changes : before, name)?.value,
          );
      }),
    );
  });
});
