import { expect } from 'chai';
import { decodeProtectedHeader } from 'jose';
import { keyPair } from '../../../demo/actors/key-pairs.ts';
import { signerChain } from '../../actors/issuance-formats.ts';
import { DID_STORE, type EnterpriseFixture, fieldsOf, jwkDid, KMS, startEnterprise } from '../../actors/tenant.ts';
import { CARDS, ISSUER } from '../../actors/tenant-issuer.ts';

const KEY = `${KMS}.key1`;
const OTHER_KMS = 'acme.t1.kms2';
const { card } = CARDS.profiles;
const { supportedCredentialTypes } = CARDS;
const privateJwk = keyPair({ namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });

/** The certificates of a key that is nowhere, and of its authority. */
const OF_ANOTHER = signerChain(keyPair({ namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }));

/** Configurations that cannot work, with the member that is at fault. */
const REFUSED: Record<string, [configuration: object, field: string]> = {
  'a member that is not known': [{ surprise: 1 }, 'surprise'],
  'a member of another type': [{ batchSize: '20' }, 'batchSize'],
  'too small a batch': [{ batchSize: 1 }, 'batchSize'],
  'a security profile that does not exist': [{ securityProfile: 'LOW' }, 'securityProfile'],
  'HAIP without attesters': [{ securityProfile: 'HAIP' }, 'clientAttesters'],
  'an attester with a private key': [
    { clientAttesters: [{ jwks: { keys: [privateJwk] } }] },
    'clientAttesters/0/jwks/keys/0',
  ],
  'an attester without keys': [{ keyAttesters: [{ issuer: 'https://a.example' }] }, 'keyAttesters/0/jwks'],
  'a certificate that is none': [{ keyAttesters: [{ certificates: ['x'] }] }, 'keyAttesters/0/certificates/0'],
  'an issuer with a private key': [{ issuers: [{ did: 'did:web:a.example', jwk: privateJwk }] }, 'issuers/0/jwk'],
  'a format that is not known': [
    { supportedCredentialTypes: { A: { format: 'ldp_vc' } } },
    'supportedCredentialTypes/A/format',
  ],
  'a type without a format': [{ supportedCredentialTypes: { A: {} } }, 'supportedCredentialTypes/A/vct'],
  'a text that names no type': [{ supportedCredentialTypes: { A: 'plain' } }, 'supportedCredentialTypes/A'],
  'a W3C credential without types': [
    { supportedCredentialTypes: { A: { format: 'jwt_vc_json' } } },
    'supportedCredentialTypes/A/credential_definition/type',
  ],
  'a type that extends itself': [
    { supportedCredentialTypes: { A: { vct: 'urn:a', sdJwtVcTypeMetadata: { extends: 'urn:a' } } } },
    'supportedCredentialTypes',
  ],
  'a status list of no credential': [{ statusLists: { Absent: {} } }, 'statusLists/Absent'],
  'a status list of another format': [
    { supportedCredentialTypes, statusLists: { Card: { type: 'BitstringStatusList' } } },
    'statusLists/Card/type',
  ],
  'a profile of no credential': [{ profiles: { one: card } }, 'profiles/one/credentialConfigurationId'],
  'a profile with a key reference': [
    { ...CARDS, profiles: { one: { ...card, issuerKey: { type: 'jwk', jwk: privateJwk } } } },
    'profiles/one/issuerKey',
  ],
  'a mapping that is nonsense': [
    { ...CARDS, profiles: { one: { ...card, mapping: { id: '<nonsense>' } } } },
    'profiles/one/mapping/id',
  ],
  'an mdoc without certificates': [
    { ...CARDS, profiles: { one: { ...card, credentialConfigurationId: 'Licence_mso_mdoc', credentialData: {} } } },
    'profiles/one/x5Chain',
  ],
  'certificates of another key': [
    {
      dependencies: [KMS],
      ...CARDS,
      profiles: {
        one: {
          ...card,
          issuerKey: KEY,
          x5Chain: OF_ANOTHER,
        },
      },
    },
    'profiles/one/x5Chain/0',
  ],
  'a login at a server of the operator': [
    { ...CARDS, profiles: { one: { ...card, authenticationMethod: 'PWD' } } },
    'profiles/one/authenticationMethod',
  ],
  'a key of a kms that is no dependency': [
    { dependencies: [KMS], ...CARDS, defaultIssuerKey: `${OTHER_KMS}.key1` },
    'defaultIssuerKey',
  ],
  'a key of a profile of a kms that is no dependency': [
    { dependencies: [KMS], ...CARDS, profiles: { card: { ...card, issuerKey: `${OTHER_KMS}.key1` } } },
    'profiles/card/issuerKey',
  ],
  'a DID that does not exist': [
    { dependencies: [KMS, DID_STORE], defaultIssuerDid: `${DID_STORE}.absent` },
    'defaultIssuerDid',
  ],
  'a DID of a profile whose key is in a kms that is no dependency': [
    { dependencies: [KMS, DID_STORE], ...CARDS, profiles: { card: { ...card, issuerDid: `${DID_STORE}.other` } } },
    'profiles/card/issuerDid',
  ],
  'a DID that was brought, without the key that signs': [
    { dependencies: [KMS, DID_STORE], defaultIssuerDid: `${DID_STORE}.brought` },
    'defaultIssuerDid',
  ],
  'a disclosure policy without the parties that it speaks of': [
    {
      supportedCredentialTypes: {
        Card: { format: 'dc+sd-jwt', disclosure_policy: { policy_type: 'authorized_relying_parties' } },
      },
    },
    'supportedCredentialTypes/Card/disclosure_policy/authorized_relying_parties',
  ],
  'a disclosure policy with members of another': [
    {
      supportedCredentialTypes: {
        Card: { format: 'dc+sd-jwt', disclosure_policy: { policy_type: 'none', trusted_roots: ['00'.repeat(32)] } },
      },
    },
    'supportedCredentialTypes/Card/disclosure_policy/trusted_roots',
  ],
  'a key for its metadata that does not exist': [{ dependencies: [KMS], tokenKeyId: `${KMS}.absent` }, 'tokenKeyId'],
  'certificates of a key for its metadata that it does not name': [{ metadataX5chain: OF_ANOTHER }, 'tokenKeyId'],
  'certificates of another key for its metadata': [
    { dependencies: [KMS], tokenKeyId: KEY, metadataX5chain: OF_ANOTHER },
    'metadataX5chain/0',
  ],
  'a certificate for its metadata that made itself': [
    { dependencies: [KMS], tokenKeyId: KEY, metadataX5chain: OF_ANOTHER.slice(1) },
    'metadataX5chain/0',
  ],
};

describe('createService', () => {
  let world: EnterpriseFixture;
  /** The public key at `KEY`. */
  let jwk: object;
  before(async () => {
    world = await startEnterprise();
    await world.post('createService', OTHER_KMS, { type: 'kms' });
    await world.post('generateKey', `${OTHER_KMS}.key1`, { keyType: 'secp256r1' });
    jwk = (await world.post('generateKey', KEY, { keyType: 'secp256r1' })).body.key.jwk;
    await world.post('addDependency', DID_STORE, { dependency: OTHER_KMS });
    const { body } = await world.post('createTenantDid', `${DID_STORE}.other`, {
      method: 'jwk',
      key: `${OTHER_KMS}.key1`,
    });
    const did = jwkDid(keyPair({ namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' }));
    await world.post('addDid', `${DID_STORE}.brought`, { did });
    expect(body.key).to.equal(`${OTHER_KMS}.key1`);
  });
  after(() => world.close());

  for (const [title, [configuration, field]] of Object.entries(REFUSED))
    it(`400: refuses an issuer with ${title}, naming ${field}`, async () => {
      const answer = await world.post('createService', ISSUER, { type: 'issuer2', ...configuration });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(400);
      expect(fieldsOf(answer)).to.include(`/body/${field}`);
      expect((await world.server.call('getResource', { path: { target: ISSUER }, token: world.root })).status).to.equal(
        404,
      );
    });

  it('409: a key without a kms among the dependencies, a DID without a did-store', async () => {
    for (const [configuration, type] of [
      [{ defaultIssuerKey: KEY }, 'kms'],
      [{ defaultIssuerDid: `${DID_STORE}.other`, dependencies: [KMS] }, 'did-store'],
    ] as const) {
      const { status, body } = await world.post('createService', ISSUER, { type: 'issuer2', ...configuration });
      const message = `${ISSUER} needs a service of the type ${type}: add it as a dependency`;
      expect([status, body.message]).to.deep.equal([409, message]);
    }
  });

  it('201: an issuer that says to whom its credentials may be shown', async () => {
    const disclosure_policy = { policy_type: 'specific_root_of_trust', trusted_roots: ['00'.repeat(32)] };
    const supportedCredentialTypes = { Card: { format: 'dc+sd-jwt', disclosure_policy } };
    const target = 'acme.t1.disclosing';
    const { status } = await world.post('createService', target, { type: 'issuer2', supportedCredentialTypes });
    expect(status).to.equal(201);
    const { body } = await world.server.call('tenantGetOpenid4vciIssuerMetadata', { path: { target } });
    expect(body.credential_configurations_supported.Card.disclosure_policy).to.deep.equal(disclosure_policy);
  });

  it('201: an issuer that offers nothing yet; keys and certificates are not shown', async () => {
    const target = 'acme.t1.complete';
    const metadataX5chain = signerChain(jwk);
    const { status, body } = await world.post('createService', target, {
      type: 'issuer2',
      ...CARDS,
      dependencies: [KMS],
      tokenKeyId: KEY,
      metadataX5chain,
      defaultIssuerKey: KEY,
      profiles: { card: { ...card, notifications: { webhook: { url: 'https://a.example', bearerToken: 'SECRET' } } } },
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body).not.to.have.any.keys('profiles', 'defaultIssuerKey');
    const shown = await world.server.call('tenantListIssuanceProfiles', { path: { target }, token: world.root });
    expect(JSON.stringify([body, shown.body])).not.to.match(/SECRET|webhook/);
    expect((await world.post('createService', ISSUER, { type: 'issuer2' })).status).to.equal(201);
    const none = await world.server.call('tenantListIssuanceProfiles', { path: { target: ISSUER }, token: world.root });
    expect(none.body).to.deep.equal([]);
    const signed = { path: { target }, headers: { accept: 'application/jwt' } };
    const { body: jwt } = await world.server.call('tenantGetOpenid4vciIssuerMetadata', signed);
    const [own = ''] = metadataX5chain;
    expect(decodeProtectedHeader(jwt).x5c).to.deep.equal([own.replace(/-.*-|\s/g, '')]);
  });

  it('409: the kms whose key an issuer names stays among its dependencies', async () => {
    const call = { path: { target: 'acme.t1.complete' }, json: { dependency: KMS }, token: world.root };
    expect((await world.server.call('removeDependency', call)).status).to.equal(409);
  });
});
