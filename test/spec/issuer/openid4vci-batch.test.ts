import { expect } from 'chai';
import { GRANT, makeHolderKey } from '../../../demo/actors/holder-key.ts';
import { degree } from '../../../demo/actors/issuer.ts';
import { EncryptingWallet } from '../../actors/encrypting-wallet.ts';
import { HttpPeer } from '../../actors/http-peer.ts';
import { KeyAttester } from '../../actors/key-attester.ts';
import { DEGREE, FinalIssuance } from '../../actors/openid4vci.ts';
import { decodeJwt } from '../../actors/wallet.ts';
import { until } from '../../support/runs/waiting.ts';

const KEYS = 2000;
const ES256 = { proof_signing_alg_values_supported: ['ES256'] };

describe('OpenID4VCI 1.0, batches of 2,000 keys', () => {
  const attester = new KeyAttester();
  const holders = Array.from({ length: KEYS }, makeHolderKey);
  let issuance: FinalIssuance;
  before(async () => {
    const supportedCredentialTypes = {
      [DEGREE]: {
        format: 'jwt_vc_json',
        credential_definition: { type: ['VerifiableCredential', 'UniversityDegree'] },
        proof_types_supported: { jwt: ES256 },
      },
      Card: { format: 'dc+sd-jwt', vct: 'urn:example:card', proof_types_supported: { attestation: ES256 } },
    };
    const issuerMetadata = { supportedCredentialTypes, keyAttesters: [attester.trusted], batchSize: KEYS };
    issuance = await FinalIssuance.start({ settings: { issuerMetadata } });
  });
  after(() => issuance.close());

  const subjectsOf = (credentials: { credential: string }[]) =>
    credentials.map(({ credential }) => decodeJwt(credential).claims.sub);

  it('200: a credential for each proof, in their order; a wallet that lost the answer gets the same ones', async () => {
    const { body } = await issuance.server.call('getOpenid4vciIssuerMetadata');
    expect(body.batch_credential_issuance.batch_size).to.equal(KEYS);
    const token = await issuance.access();
    const answer = await issuance.claimFor(token, holders);
    expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).to.equal(200);
    expect(subjectsOf(answer.body.credentials)).to.deep.equal(holders.map(({ did }) => did));
    const ids = answer.body.credentials.map(
      ({ credential }: { credential: string }) => decodeJwt(credential).claims.jti,
    );
    expect(new Set(ids).size).to.equal(KEYS);
    expect((await issuance.claimFor(token, holders)).body).to.deep.equal(answer.body);
  });

  it('200: for the keys of one attestation, encrypted and compressed', async () => {
    const wallet = await EncryptingWallet.create(issuance.server);
    const attestation = [attester.attest(issuance.server, holders, { claims: { nonce: await issuance.nonce() } })];
    const request = { credential_configuration_id: 'Card', proofs: { attestation } };
    const content = { ...issuance.issuer, credentialConfigurationId: 'Card', credentialData: { level: 'gold' } };
    const jwe = await wallet.seal(request, { header: { zip: 'DEF' }, response: { zip: 'DEF' } });
    const answer = await wallet.send('requestOpenid4vciCredential', await issuance.access({ content }), jwe);
    expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).to.equal(200);
    const { credentials } = (await wallet.open(answer)).members;
    const keys = credentials.map(({ credential }: { credential: string }) => decodeJwt(credential).claims.cnf.jwk.x);
    expect(keys).to.deep.equal(holders.map(({ jwk }) => jwk.x));
  });

  it('400: invalid_proof for one key more, and for credentials that are too large together', async () => {
    const more = await issuance.claimFor(await issuance.access(), [...holders, makeHolderKey()]);
    expect([more.status, more.body.error]).to.deep.equal([400, 'invalid_proof']);
    const large = {
      type: ['VerifiableCredential', 'UniversityDegree'],
      credentialSubject: { note: 'x'.repeat(20_000) },
    };
    const content = degree(issuance.issuer, { credentialData: large });
    const token = await issuance.access({ content });
    const refused = await issuance.claimFor(token, holders);
    expect([refused.status, refused.body.error]).to.deep.equal([400, 'invalid_proof']);
    expect((await issuance.claimFor(token, holders.slice(0, 50))).body.credentials).to.have.length(50);
  });

  it('the session counts its credentials while they are made, in one event for all of them', async () => {
    const peer = await new HttpPeer().listen();
    let calls = 0;
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    peer.routes['/hook'] = async () => {
      calls += 1;
      if (calls > 16) await gate;
      return { body: 'a note' };
    };
    const { call, clock } = issuance.server;
    const runtimeOverrides = { mapping: { note: `<webhook:${peer.url}/hook>` } };
    const json = { profileId: DEGREE, authMethod: 'PRE_AUTHORIZED', valueMode: 'BY_VALUE', runtimeOverrides };
    const { offerId, credentialOffer } = (await call('createCredentialOffer', { json })).body;
    const { grants } = JSON.parse(new URL(credentialOffer).searchParams.get('credential_offer') ?? '');
    const { access_token: token } = (await issuance.redeem(grants[GRANT]['pre-authorized_code'])).body;
    const session = async () => (await call('getIssuanceSession', { path: { sessionId: offerId } })).body;
    const claimed = issuance.claimFor(token, holders.slice(0, 40));
    await until(() => calls > 16);
    await until(async () => {
      clock.advance(5000);
      return (await session()).credentials === 16;
    });
    expect(await session()).to.include({ status: 'ACTIVE', issued: 0 });
    open();
    expect((await claimed).body.credentials).to.have.length(40);
    expect(await session()).to.include({ status: 'SUCCESSFUL', issued: 1, credentials: 40 });
    await peer.close();
  });
});
