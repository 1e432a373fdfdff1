import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { newWalletUser, type WalletUser } from '../../actors/wallet-user.ts';
import { useFakeAws } from '../../support/kms/aws.ts';
import { useFakeAzure } from '../../support/kms/azure.ts';
import { useFakeOci } from '../../support/kms/oci.ts';
import { useServer } from '../../support/servers/server.ts';

const DEGREE = {
  credentialConfigurationId: 'UniversityDegree_jwt_vc_json',
  credentialData: {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    type: ['VerifiableCredential', 'UniversityDegree'],
    credentialSubject: { degree: { name: 'Bachelor of Science' } },
  },
  mapping: {
    id: '<uuid>',
    issuer: { id: '<issuerDid>' },
    credentialSubject: { id: '<subjectDid>' },
    issuanceDate: '<timestamp>',
    expirationDate: '<timestamp-in:365d>',
  },
};

describe('wallet keys in a key management service', () => {
  const oci = useFakeOci();
  const aws = useFakeAws();
  const azure = useFakeAzure();
  const server = useServer(async () => ({
    settings: {
      kms: { timeoutSeconds: 2, kmsa: aws.settings, kmsb: azure.fake.settings, kmsc: { allowHttp: true } },
      keyGenerationDefaults: { 'kmsc-rest-api': oci.config({ tags: { source: 'defaults' } }) },
    },
  }));
  let holder: WalletUser;
  before(async () => {
    holder = await newWalletUser(server);
  });

  const generate = (json: Record<string, unknown>) => holder.call('generateWalletKey', { json });

  /** Receives a credential of our own issuer with a DID. */
  async function receive(did: string): Promise<string> {
    const { issuerKey, issuerDid } = (await server.call('onboardIssuer', { json: {} })).body;
    const { body: text } = await server.call('issueJwtCredential', { json: { issuerKey, issuerDid, ...DEGREE } });
    const { status, body } = await holder.call('acceptCredentialOffer', { text, query: { did } });
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body[0].parsedDocument.credentialSubject.id).to.equal(did);
    return body[0].id;
  }

  /** Presents a credential to our own verifier and returns its result. */
  async function present(credential: string, did: string): Promise<boolean> {
    const json = { request_credentials: [{ type: 'UniversityDegree', format: 'jwt_vc_json' }] };
    const { body: presentationRequest } = await server.call('startVerification', { json });
    const chosen = { presentationRequest, did, selectedCredentials: [credential] };
    const { status, body } = await holder.call('presentCredentials', { json: chosen });
    expect(status, JSON.stringify(body)).to.equal(200);
    const state = new URL(presentationRequest).searchParams.get('state') ?? '';
    return (await server.call('getVerificationResult', { path: { state } })).body.verificationResult;
  }

  const services: Record<string, [keyTypes: string[], config: () => Record<string, unknown>]> = {
    'kmsc-rest-api': [['secp256r1', 'RSA'], () => oci.config()],
    'oci-rest-api': [['secp256r1'], () => vendorNames(oci.config())],
    'kmsa-rest-api': [['secp256r1', 'RSA'], () => aws.config()],
    'kmsb-rest-api': [['secp256r1', 'RSA'], () => azure.fake.config],
  };

  for (const [backend, [keyTypes, config]] of Object.entries(services))
    for (const keyType of keyTypes)
      it(`generateWalletKey 201: ${backend} ${keyType} receives and presents a credential with a DID of its own`, async () => {
        const { status, body: keyId } = await generate({ backend, keyType, config: config() });
        expect(status, JSON.stringify(keyId)).to.equal(201);
        const { body: did } = await holder.call('createWalletDid', { path: { method: 'jwk' }, query: { keyId } });
        const { kid: _, ...jwk } = JSON.parse(Buffer.from(did.slice('did:jwk:'.length), 'base64url').toString());
        expect(keyId).to.equal(thumbprint(jwk));
        expect(await present(await receive(did), did)).to.equal(true);
        const { body: keys } = await holder.call('listWalletKeys');
        const listed = keys.find((key: { keyId: { id: string } }) => key.keyId.id === keyId);
        expect(listed).to.include({ algorithm: keyType });
        expect(JSON.stringify(keys)).not.to.match(/PRIVATE KEY|secret/i);
      });

  it('generateWalletKey 201: key-generation-defaults.conf is used where a request has no config', async () => {
    expect((await generate({ backend: 'kmsc', keyType: 'secp256r1', name: 'from defaults' })).status).to.equal(201);
    const created = oci.fake.vault.keys.at(-1);
    expect(created?.freeformTags).to.include({ source: 'defaults' });
    expect(created?.displayName).to.equal('from defaults');
  });

  for (const keyType of ['Ed25519', 'secp256k1', 'secp384r1', 'secp521r1', 'RSA3072', 'RSA4096'])
    it(`generateWalletKey 400: kmsc has no ${keyType} keys; nothing is called`, async () => {
      const { status, body } = await generate({ backend: 'kmsc-rest-api', keyType, config: oci.config() });
      expect(status).to.equal(400);
      expect(body.details[0].path).to.equal('/body/keyType');
      expect(oci.fake.callCount).to.equal(0);
    });

  it('generateWalletKey 400: names the member that is wrong, without its value', async () => {
    const { signingKeyPem } = oci.config();
    const { fingerprint } = await oci.fake.newUser();
    const rows: [over: Record<string, unknown>, path: string][] = [
      [{ signingKeyPem: String(signingKeyPem).replace(/[A-Za-z]{8}/, '!!!!!!!!') }, '/body/config/signingKeyPem'],
      [{ fingerprint }, '/body/config/fingerprint'],
      [{ managementEndpoint: 'http://10.0.0.1' }, '/body/config/managementEndpoint'],
      [{ compartmentId: 'ocid1.compartment.oc1..unknown' }, '/body/config/compartmentId'],
      [{ userId: 'ocid1.user.oc1..unknown' }, '/body/config'],
      [{ region: 'eu-frankfurt-1' }, '/body/config/region'],
    ];
    const before = oci.fake.vault.keys.length;
    for (const [over, path] of rows) {
      const { status, body } = await generate({ backend: 'kmsc', keyType: 'RSA', config: oci.config(over) });
      expect(status, path).to.equal(400);
      expect(body.details[0].path).to.equal(path);
      expect(JSON.stringify(body)).not.to.include('PRIVATE KEY').and.not.to.include('!!!!');
    }
    expect(oci.fake.vault.keys).to.have.length(before);
  });

  it('generateWalletKey 502 and 504: the service fails or hangs', async () => {
    const config = oci.config();
    oci.fake.management.fault(1, { kind: 'fail' });
    expect((await generate({ backend: 'kmsc', keyType: 'secp256r1', config })).status).to.equal(502);
    oci.fake.management.always({ kind: 'hang' });
    expect((await generate({ backend: 'kmsc', keyType: 'secp256r1', config })).status).to.equal(504);
  });

  it('deleteWalletKey 202: schedules the deletion in the vault', async () => {
    const { body: keyId } = await generate({ backend: 'kmsc', keyType: 'secp256r1', config: oci.config() });
    expect((await holder.call('deleteWalletKey', { path: { keyId } })).status).to.equal(202);
    expect(oci.fake.vault.keys.at(-1)?.lifecycleState).to.equal('PENDING_DELETION');
  });

  it('no log line contains the key that signs for a user', () => {
    expect(JSON.stringify(server.lines)).not.to.include(oci.user.signingKeyPem.split('\n')[3]);
  });
});

const vendorNames = ({ tenancyId, compartmentId, userId, ...config }: Record<string, unknown>) => ({
  ...config,
  tenancyOcid: tenancyId,
  compartmentOcid: compartmentId,
  userOcid: userId,
});

/** RFC 7638. */
function thumbprint({ crv, e, kty, n, x, y }: Record<string, string>): string {
  const canonical = JSON.stringify(kty === 'RSA' ? { e, kty, n } : { crv, kty, x, y });
  return createHash('sha256').update(canonical).digest('base64url');
}
