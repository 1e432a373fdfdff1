import { fingerprintOf } from '../../adapters/kms/oci/signing-key.ts';
import { degree } from '../../demo/actors/issuer.ts';
import { type EnterpriseFixture, KMS } from '../actors/tenant.ts';
import { newWalletUser } from '../actors/wallet-user.ts';
import { testKeys } from '../support/trust/certificates.ts';
import type { UrlInput } from './url-inputs.ts';

type Json = Record<string, unknown>;

/** A public address, which is never called: the other address is refused first. */
const ELSEWHERE = 'https://8.8.8.8';
const DID = 'did:example:issuer';
/** A key that a vault might have. */
const STATED = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
};

const azureAuth = (keyVaultUrl: string): Json => ({ keyVaultUrl, clientId: 'a', tenantId: 'b', clientSecret: 'c' });

const transit = (server: string): Json => ({ server, auth: { accessKey: 'a' } });

/** The `config` of a key of OCI. */
function ociConfig(): Json {
  const { privateKey } = testKeys('RSA', 46);
  const signingKeyPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const ids = { tenancyId: 'tenancy', compartmentId: 'compartment', userId: 'user' };
  const endpoints = { managementEndpoint: ELSEWHERE, cryptoEndpoint: ELSEWHERE };
  return { ...ids, ...endpoints, fingerprint: fingerprintOf(privateKey), signingKeyPem };
}

/** The members of a key's configuration that state an address, each in every operation that takes such a configuration. */
export async function vaultInputs({ server, post }: EnterpriseFixture): Promise<UrlInput[]> {
  const wallet = await newWalletUser(server);
  const oci = ociConfig();
  const issue = (issuerKey: Json) =>
    server.call('issueJwtCredential', { json: degree({ issuerKey, issuerDid: DID } as never) });
  const inEach = (member: string, backend: string, config: (url: string) => Json): UrlInput[] => {
    const key = (url: string): Json => ({ backend, keyType: 'secp256r1', config: config(url) });
    return [
      { name: `${member} of onboarding`, send: (url) => server.call('onboardIssuer', { json: { key: key(url) } }) },
      { name: `${member} of a wallet's key`, send: (url) => wallet.call('generateWalletKey', { json: key(url) }) },
      { name: `${member} of a tenant's key`, send: (url) => post('generateKey', KMS, key(url)) },
    ];
  };
  const referenced = (member: string, reference: (url: string) => Json): UrlInput[] => [
    { name: `${member} of an issuer's key`, send: (url) => issue(reference(url)) },
    {
      name: `${member} of an issuer's key that is stated`,
      send: (url) => issue({ ...reference(url), _publicKey: STATED }),
    },
  ];
  return [
    ...inEach('keyVaultUrl', 'azure-rest-api', (url) => ({ auth: azureAuth(url) })),
    ...referenced('keyVaultUrl', (url) => ({ type: 'azure', id: `${originOf(url)}/keys/a`, auth: azureAuth(url) })),
    ...['managementEndpoint', 'cryptoEndpoint'].flatMap((member) => [
      ...inEach(member, 'oci-rest-api', (url) => ({ ...oci, [member]: url })),
      ...referenced(member, (url) => ({ type: 'oci', id: 'key', config: { ...oci, [member]: url } })),
    ]),
    ...inEach('server', 'vault', (url) => transit(`${originOf(url)}/v1/transit`)),
    ...referenced('server', (url) => ({ type: 'tse', id: 'a/1', ...transit(`${originOf(url)}/v1/transit`) })),
    ...referenced('id in another vault', (url) => ({ type: 'azure', id: `${url}/keys/a`, auth: azureAuth(ELSEWHERE) })),
    ...referenced('id at OCI', (id) => ({ type: 'oci', id, config: oci })),
    ...referenced('id at AWS', (id) => ({
      type: 'aws',
      id,
      config: { auth: { accessKeyId: 'a', secretAccessKey: 'b', region: 'eu-central-1' } },
    })),
  ];
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
